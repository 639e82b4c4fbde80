/**
 * Answers an editor's questions about code. Offsets are UTF-16 units in the text of the question; lines and columns are
 * 1-based; paths are absolute. No method rejects: an answer that does not arrive in time is empty or `null`. All text
 * in answers comes from the project and is untrusted.
 */
export interface LanguageService {
	/** Returns true if it answers questions about a file of this name. */
	knows(path: string): boolean;
	completions(at: CodePlace): Promise<CodeCompletion[]>;
	/** Documentation of a completion, and the edits that import it. */
	completionDetails(at: CodePlace, completion: CodeCompletion): Promise<CodeCompletionDetails | null>;
	hover(at: CodePlace): Promise<CodeHover | null>;
	/** Places inside the working directory where the name is defined; `null`: only outside it. */
	definition(at: CodePlace): Promise<CodeLocation[] | null>;
	/** Name at a place if it can be renamed, or the reason why not. */
	renameInfo(at: CodePlace): Promise<CodeRenameInfo | null>;
	/** Edits that rename the name at a place everywhere. */
	rename(at: CodePlace, to: string): Promise<CodeFileEdits[]>;
	/** Edits that format the text. @param indent width in spaces, or `tab` */
	format(file: CodeText, indent: number | 'tab'): Promise<CodeEdit[]>;
	/** Problems of a file; `null` if there was no answer. */
	problems(file: CodeText): Promise<CodeProblem[] | null>;
	/** Problems of a file as it is on disk. */
	savedProblems(path: string): Promise<CodeProblem[] | null>;
	/** Source files of the project a file belongs to. */
	sources(path: string): Promise<string[]>;
	/** Declarations whose name matches. @param path a file of the project */
	symbols(path: string, query: string): Promise<CodeSymbol[]>;
}

/** A file with its text, saved or not; lines are separated as in the editor. */
export interface CodeText {
	path: string;
	text: string;
}

export interface CodePlace extends CodeText {
	at: number;
}

/** Kind of a name, as CodeMirror names its completion icons. */
export type CodeKind =
	| 'class'
	| 'constant'
	| 'enum'
	| 'function'
	| 'interface'
	| 'keyword'
	| 'method'
	| 'namespace'
	| 'property'
	| 'text'
	| 'type'
	| 'variable';

export interface CodeCompletion {
	label: string;
	kind: CodeKind;
	/** Inserted instead of the label. */
	insert?: string | undefined;
	/** Module to import it from, if an import is needed. */
	source?: string | undefined;
	/** Sort key; lower values come first. */
	sort: string;
	/** The service's own key, for {@link LanguageService.completionDetails}. */
	data?: string | undefined;
}

export interface CodeCompletionDetails {
	signature: string;
	documentation: string;
	/** Edits elsewhere in the same file. */
	edits: CodeEdit[];
}

export interface CodeHover {
	from: number;
	to: number;
	signature: string;
	documentation: string;
}

export interface CodeLocation {
	path: string;
	line: number;
	column: number;
}

export type CodeRenameInfo = { name: string; from: number; to: number } | { reason: string };

export interface CodeEdit {
	from: number;
	to: number;
	text: string;
}

/** Edits of one file, each with the text it replaces. */
export interface CodeFileEdits {
	path: string;
	edits: (CodeEdit & { old: string })[];
}

export interface CodeProblem extends CodeLocation {
	from: number;
	to: number;
	severity: 'error' | 'warning';
	code?: string | undefined;
	message: string;
}

export interface CodeSymbol extends CodeLocation {
	name: string;
	kind: CodeKind;
}
