import type { Files } from './files.ts';
import type { PatternRule } from './pattern-rules.ts';
import type { PatternVariables } from './pattern-variables.ts';
import type { SearchPaths } from './search-paths.ts';
import type { Switches } from './switches.ts';
import type { Scope } from './variables.ts';

/** Operations of the machine that make uses. */
export interface Machine {
	/** Milliseconds; `null` if the file does not exist. */
	modified(path: string): number | null;
	isDirectory(path: string): boolean;
	/** Names in a directory; empty if it does not exist. */
	names(directory: string): string[];
	isFile(path: string): boolean;
	/** Text of a file; `null` if it does not exist. */
	read(path: string): string | null;
	write(path: string, text: string, appends: boolean): void;
	touch(path: string): void;
	remove(path: string): void;
	glob(pattern: string): string[];
	absolute(path: string): string;
	/** Absolute path with links resolved; `null` if it does not exist. */
	real(path: string): string | null;
	/** Runs a program with these environment variables. @returns the exit code */
	run(argv: readonly string[], environment: ReadonlyMap<string, string>): Promise<number>;
	/** Output and exit code of a program that runs in make's own environment. */
	output(argv: readonly string[]): Promise<{ text: string; status: number }>;
	/** Why a program cannot be started; `null` if it can. */
	missing(program: string): 'No such file or directory' | 'Permission denied' | null;
	/** Environment variable from make's start. */
	environment(name: string): string | undefined;
	/** All variables of that environment. */
	variables(): Readonly<Record<string, string>>;
	out(text: string): Promise<void>;
	complain(text: string): Promise<void>;
	input(): Promise<string>;
}

/** Position in a makefile. */
export interface Place {
	file: string;
	line: number;
}

/** Run of make over makefiles that are read once. */
export interface MakeState {
	machine: Machine;
	switches: Switches;
	/** `make` or `make[1]`, as the prefix of messages. */
	name: string;
	level: number;
	/** Global variables. */
	globals: Scope;
	files: Files;
	rules: PatternRule[];
	patternVariables: PatternVariables;
	paths: SearchPaths;
	/** Prefix character of recipe lines. */
	prefix: string;
	exportsAll: boolean;
	isOneShell: boolean;
	expandsTwice: boolean;
	isPosix: boolean;
	/** Position of what is being read or expanded. */
	place: Place | null;
	/** Definition of the variable being expanded. */
	definition: Place | null;
	/** Set once everything is read: rules get no further prerequisites. */
	isSettled: boolean;
	/**
	 * Scope in which text is read: that of a `$(foreach)` or `$(call)` around an `$(eval)`, otherwise the global one.
	 */
	readScope: Scope;
	/** Makefiles that were read or are required, in order. */
	makefiles: WantedMakefile[];
	/** Evaluates text as part of the makefile being read. */
	evaluate(text: string): Promise<void>;
	/** Prints on stdout, announcing the directory before the first line if requested. */
	say(text: string): Promise<void>;
	/** Prints an error on stderr, after `make: ` or a position. */
	warn(text: string, place?: Place | null): Promise<void>;
}

export interface WantedMakefile {
	name: string;
	isIncluded: boolean;
	/** Set if it may be missing. */
	isOptional: boolean;
	/** Position of the line that includes it. */
	place: Place | null;
	wasMissing: boolean;
}

/** Position for an error in the current expansion. */
export const errorPlace = (state: MakeState): string => placeText(state.definition ?? state.place);

export const placeText = (place: Place | null): string => (place ? `${place.file}:${place.line}` : '');

/** Reports once that an included makefile was not found. */
export async function sayMissing(state: MakeState, makefile: WantedMakefile): Promise<void> {
	if (!makefile.isIncluded || makefile.isOptional || !makefile.wasMissing) return;
	makefile.wasMissing = false;
	await state.warn(`${makefile.name}: No such file or directory`, makefile.place);
}
