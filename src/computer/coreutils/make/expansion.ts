import type { MakeVariables } from './variables.ts';

/** Context of an expansion. */
export interface Expansion {
	variables: MakeVariables;
	/** Expands a pattern to paths. */
	glob(pattern: string): string[];
	absolute(path: string): string;
	exists(path: string): boolean;
	/** Output of a shell command. */
	shell(command: string): Promise<string>;
	/** Reads lines as part of the makefile. */
	evaluate(text: string): Promise<void>;
	say(text: string): Promise<void>;
	warn(text: string): Promise<void>;
	/** `file:line: ` of what is being read. */
	place(): string;
}

/** Expansion of the arguments of a function, one level deeper than its call. */
export interface Expander {
	expand(scope: Expansion, text: string): Promise<string>;
	valueOf(scope: Expansion, name: string): Promise<string>;
}
