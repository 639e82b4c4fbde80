/** A command as it was written: its words keep their quotes, which the syntax tree to be run has lost. */
export interface Written {
	shape: Shape;
	/** `!` and `time` in front of it. */
	prefix: string;
	redirections: Redirection[];
}

export type Shape =
	| { type: 'words'; words: string[] }
	| { type: 'joined'; operator: Operator; left: Written; right: Written | null }
	| { type: 'group' | 'subshell'; body: Written }
	| { type: 'if'; condition: Written; body: Written; otherwise: Written | null }
	| { type: 'loop'; word: 'while' | 'until'; condition: Written; body: Written }
	| { type: 'for'; word: 'for' | 'select'; variable: string; words: string[]; body: Written }
	| { type: 'count'; head: string; body: Written }
	| { type: 'case'; word: string; items: CaseItem[] }
	| { type: 'function'; name: string; body: Written };

export type Operator = ';' | '&' | '&&' | '||' | '|';

export interface CaseItem {
	patterns: string[];
	body: Written | null;
	end: ';;' | ';&' | ';;&';
}

/** `text` is the whole of it, as bash prints it; a here-document's `body` comes after the line. */
export interface Redirection {
	text: string;
	body?: string;
}
