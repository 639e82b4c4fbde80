/** Commands up to an end: a script, or the inside of `$(…)`. */
export interface Script {
	type: 'Script';
	statements: Statement[];
}

/** Pipelines joined by `&&` and `||`. */
export interface Statement {
	type: 'Statement';
	pipelines: Pipeline[];
	/** Operators between the pipelines, one fewer than pipelines. */
	operators: ('&&' | '||')[];
	background: boolean;
	/** Source text of the statement. */
	sourceText: string;
}

export interface Pipeline {
	type: 'Pipeline';
	commands: Command[];
	negated: boolean;
	timed: boolean;
	/** `time -p`. */
	timePosix: boolean;
}

export interface SimpleCommand {
	type: 'SimpleCommand';
	line: number;
	assignments: Assignment[];
	name: Word | null;
	args: Word[];
	redirections: Redirection[];
}

export interface FunctionDefinition {
	type: 'FunctionDef';
	line: number;
	/** Last line of its body, which messages about it refer to. */
	lastLine: number;
	name: string;
	body: CompoundCommand;
	/** Always empty: redirections after the body belong to the body. */
	redirections: Redirection[];
	/** File in which it was defined, for BASH_SOURCE. */
	source?: string;
}

interface Compound {
	line: number;
	redirections: Redirection[];
}

export type CompoundCommand =
	| (Compound & { type: 'If'; clauses: IfClause[]; elseBody: Statement[] | null })
	| (Compound & { type: 'For' | 'Select'; variable: string; words: Word[] | null; body: Statement[] })
	| (Compound & { type: 'CStyleFor'; init: Word; condition: Word; update: Word; body: Statement[] })
	| (Compound & { type: 'While' | 'Until'; condition: Statement[]; body: Statement[] })
	| (Compound & { type: 'Case'; word: Word; items: CaseItem[] })
	| (Compound & { type: 'Group' | 'Subshell'; body: Statement[] })
	| (Compound & { type: 'ArithmeticCommand'; expression: Word })
	| (Compound & { type: 'ConditionalCommand'; expression: Conditional })
	| (Compound & { type: 'Coprocess'; name: string; body: Command });

export type Command = SimpleCommand | FunctionDefinition | CompoundCommand;
export type CommandOf<Type extends Command['type']> = Extract<Command, { type: Type }>;

export interface IfClause {
	condition: Statement[];
	body: Statement[];
}

export interface CaseItem {
	patterns: Word[];
	body: Statement[];
	terminator: ';;' | ';&' | ';;&';
}

/** `name=value`, `name[subscript]+=value`, `name=(…)`. */
export interface Assignment {
	name: string;
	/** Text between the brackets. */
	subscript: string | null;
	append: boolean;
	value: Word | null;
	array: ArrayElement[] | null;
}

/** Element of `name=(…)`; `key` is the text between the brackets of `[key]=value`. */
export interface ArrayElement {
	key: string | null;
	append: boolean;
	value: Word;
}

export type RedirectionOperator = '<' | '>' | '>>' | '>&' | '<&' | '<>' | '>|' | '&>' | '&>>' | '<<<' | '<<' | '<<-';

export interface Redirection {
	fd: number | null;
	/** `{name}>file`: the variable that receives the number. */
	fdVariable: string | null;
	operator: RedirectionOperator;
	target: Word | HereDocument;
}

export interface HereDocument {
	type: 'HereDocument';
	delimiter: string;
	/** Set if the delimiter is quoted: nothing in the body is expanded. */
	quoted: boolean;
	/** Source text of the body, without the delimiter. */
	text: string;
	content: Word;
	/** Reason why the body cannot be expanded. */
	fault?: { message: string; line: number };
}

export interface Word {
	type: 'Word';
	parts: Part[];
	/** Argument of a declaration that is an assignment: `declare a=(1 2)`. */
	assignment?: Assignment;
}

export type Part =
	| { type: 'Literal'; value: string }
	| { type: 'SingleQuoted'; value: string }
	| { type: 'DoubleQuoted'; parts: Part[] }
	| { type: 'Escaped'; value: string }
	| { type: 'Tilde'; user: string }
	| ParameterPart
	| { type: 'CommandSubstitution'; body: Script }
	/** `` `…` ``, which is parsed when it runs. */
	| { type: 'Backquoted'; source: string; text: string }
	| { type: 'ArithmeticExpansion'; expression: Word; text: string }
	/** Brackets after a name in arithmetic, including what is between them. */
	| { type: 'Subscript'; parts: Part[]; text: string }
	| { type: 'ProcessSubstitution'; body: Script; direction: '<' | '>' };
export type PartOf<Type extends Part['type']> = Extract<Part, { type: Type }>;

/** `$name` or `${…}`. */
export interface ParameterPart {
	type: 'Parameter';
	/** Source text, including `$`. */
	text: string;
	name: string;
	subscript: string | null;
	/** `${!name}`. */
	indirect: boolean;
	operation: Operation | null;
}

export type Operation =
	| { type: 'Length' }
	| { type: 'Default' | 'Assign' | 'Error' | 'Alternative'; word: Word; checkEmpty: boolean }
	| { type: 'Substring'; offset: Word; length: Word | null }
	| { type: 'Remove'; side: 'prefix' | 'suffix'; greedy: boolean; pattern: Word }
	| { type: 'Replace'; pattern: Word; replacement: Word; which: 'first' | 'all' | 'start' | 'end' }
	| { type: 'Case'; change: 'upper' | 'lower' | 'toggle'; all: boolean; pattern: Word }
	| { type: 'Transform'; operator: string }
	/** `${!prefix*}`. */
	| { type: 'Names'; star: boolean }
	| { type: 'BadSubstitution' };
export type OperationOf<Type extends Operation['type']> = Extract<Operation, { type: Type }>;

/** An expression of `[[ … ]]`. */
export type Conditional =
	| { type: 'CondBinary'; operator: string; left: Word; right: Word }
	| { type: 'CondUnary'; operator: string; operand: Word }
	| { type: 'CondNot' | 'CondGroup'; operand: Conditional }
	| { type: 'CondAnd' | 'CondOr'; left: Conditional; right: Conditional }
	| { type: 'CondWord'; word: Word };
