/** Position in the source of a program. */
export interface Position {
	/** Null for the program on the command line. */
	file: string | null;
	line: number;
}

/** Syntax tree of an awk program. */
export type Expression =
	| { type: 'number'; value: number }
	| { type: 'string'; value: string }
	| { type: 'regexp'; source: string; isValue: boolean }
	| { type: 'variable'; name: string }
	| { type: 'element'; array: ArrayNode; subscript: Expression[] }
	| { type: 'field'; index: Expression }
	| { type: 'assign'; operator: string; target: Target; value: Expression }
	| { type: 'step'; target: Target; by: 1 | -1; before: boolean }
	| { type: 'unary'; operator: string; operand: Expression }
	| { type: 'binary'; operator: string; left: Expression; right: Expression }
	| { type: 'concat'; left: Expression; right: Expression }
	| { type: 'and' | 'or'; left: Expression; right: Expression }
	| { type: 'match'; negated: boolean; left: Expression; right: Expression }
	| { type: 'in'; subscript: Expression[]; array: ArrayNode }
	| { type: 'conditional'; test: Expression; yes: Expression; no: Expression }
	| { type: 'call'; name: string; args: Expression[]; at: Position; indirect: boolean }
	| { type: 'builtin'; name: string; args: Expression[]; at: Position }
	| {
			type: 'getline';
			from: 'input' | 'file' | 'command' | 'coprocess';
			source: Expression | null;
			target: Target | null;
	  }
	| { type: 'group'; items: Expression[] };

/** Expression that can be an array: a variable, or an element that is an array itself. */
export type ArrayNode = Extract<Expression, { type: 'variable' | 'element' }>;
export type Target = Extract<Expression, { type: 'variable' | 'element' | 'field' }>;
export type NodeOf<Type extends Expression['type']> = Extract<Expression, { type: Type }>;

export type Redirection = { kind: '>' | '>>' | '|' | '|&'; to: Expression };

export interface SwitchCase {
	/** Null for `default`. */
	value: Expression | null;
	body: Statement[];
}

export type Statement = { at: Position } & (
	| { type: 'block'; body: Statement[] }
	| { type: 'expression'; expression: Expression }
	| { type: 'print'; format: boolean; args: Expression[]; redirect: Redirection | null }
	| { type: 'if'; test: Expression; yes: Statement; no: Statement | null }
	| { type: 'while'; test: Expression; body: Statement }
	| { type: 'do'; test: Expression; body: Statement }
	| { type: 'for'; start: Statement | null; test: Expression | null; step: Statement | null; body: Statement }
	| { type: 'each'; variable: string; array: ArrayNode; body: Statement }
	| { type: 'switch'; value: Expression; cases: SwitchCase[] }
	| { type: 'delete'; array: ArrayNode; subscript: Expression[] | null }
	| { type: 'exit' | 'return'; value: Expression | null }
	| { type: 'break' | 'continue' | 'next' | 'nextfile' }
);
export type StatementOf<Type extends Statement['type']> = Extract<Statement, { type: Type }>;

export interface FunctionNode {
	name: string;
	parameters: string[];
	body: Statement;
	at: Position;
}

export interface Rule {
	pattern: Expression | null;
	until: Expression | null;
	/** Null prints the record. */
	action: Statement | null;
	at: Position;
}

export interface Program {
	begin: Statement[];
	end: Statement[];
	beginFile: Statement[];
	endFile: Statement[];
	rules: Rule[];
	functions: Map<string, FunctionNode>;
	/** Set if it reads records of the main input, or standard input, within an action. */
	readsInput: boolean;
	/** Warnings to print before it runs. */
	warnings: string[];
}
