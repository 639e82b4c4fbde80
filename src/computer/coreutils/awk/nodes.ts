/** The syntax tree of an awk program. */
export type Expression =
	| { type: 'number'; value: number }
	| { type: 'string'; value: string }
	| { type: 'regexp'; source: string }
	| { type: 'variable'; name: string }
	| { type: 'element'; name: string; subscript: Expression[] }
	| { type: 'field'; index: Expression }
	| { type: 'assign'; operator: string; target: Target; value: Expression }
	| { type: 'step'; target: Target; by: 1 | -1; before: boolean }
	| { type: 'unary'; operator: string; operand: Expression }
	| { type: 'binary'; operator: string; left: Expression; right: Expression }
	| { type: 'concat'; left: Expression; right: Expression }
	| { type: 'and' | 'or'; left: Expression; right: Expression }
	| { type: 'match'; negated: boolean; left: Expression; right: Expression }
	| { type: 'in'; subscript: Expression[]; name: string }
	| { type: 'conditional'; test: Expression; yes: Expression; no: Expression }
	| { type: 'call'; name: string; args: Expression[] }
	| { type: 'builtin'; name: string; args: Expression[] }
	| { type: 'getline'; from: 'input' | 'file' | 'command'; source: Expression | null; target: Target | null }
	| { type: 'group'; items: Expression[] };

export type Target = Extract<Expression, { type: 'variable' | 'element' | 'field' }>;

export type Statement =
	| { type: 'block'; body: Statement[] }
	| { type: 'expression'; expression: Expression }
	| { type: 'print'; format: boolean; args: Expression[]; redirect: { kind: '>' | '>>' | '|'; to: Expression } | null }
	| { type: 'if'; test: Expression; yes: Statement; no: Statement | null }
	| { type: 'while'; test: Expression; body: Statement }
	| { type: 'do'; test: Expression; body: Statement }
	| { type: 'for'; start: Statement | null; test: Expression | null; step: Statement | null; body: Statement }
	| { type: 'each'; variable: string; name: string; body: Statement }
	| { type: 'delete'; name: string; subscript: Expression[] | null }
	| { type: 'exit' | 'return'; value: Expression | null }
	| { type: 'break' | 'continue' | 'next' | 'nextfile' };

export interface FunctionNode {
	name: string;
	parameters: string[];
	body: Statement;
}

export interface Rule {
	pattern: Expression | null;
	until: Expression | null;
	/** Null prints the record. */
	action: Statement | null;
}

export interface Program {
	begin: Statement[];
	end: Statement[];
	rules: Rule[];
	functions: Map<string, FunctionNode>;
	/** Set if it reads records of the main input itself. */
	readsInput: boolean;
}
