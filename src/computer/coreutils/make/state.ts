import type { Files } from './files.ts';
import type { PatternRule } from './pattern-rules.ts';
import type { PatternVariables } from './pattern-variables.ts';
import type { SearchPaths } from './search-paths.ts';
import type { Switches } from './switches.ts';
import type { Scope } from './variables.ts';

/** Operations of the machine that make needs. */
export interface Machine {
	/** Milliseconds; `null` where nothing is. */
	modified(path: string): number | null;
	isDirectory(path: string): boolean;
	/** Names in a directory; empty where there is none. */
	names(directory: string): string[];
	isFile(path: string): boolean;
	/** Text of a file; `null` where there is none. */
	read(path: string): string | null;
	write(path: string, text: string, appends: boolean): void;
	touch(path: string): void;
	remove(path: string): void;
	glob(pattern: string): string[];
	absolute(path: string): string;
	/** An absolute path without links; `null` where nothing is. */
	real(path: string): string | null;
	/** Runs a program with these variables in its environment. @returns the exit code */
	run(argv: readonly string[], environment: ReadonlyMap<string, string>): Promise<number>;
	/** Output and exit code of a program that gets make's own environment. */
	output(argv: readonly string[]): Promise<{ text: string; status: number }>;
	/** Why a program cannot be started; `null` where it can. */
	missing(program: string): 'No such file or directory' | 'Permission denied' | null;
	/** Variable of the environment that make was started with. */
	environment(name: string): string | undefined;
	/** All variables of that environment. */
	variables(): Readonly<Record<string, string>>;
	out(text: string): Promise<void>;
	complain(text: string): Promise<void>;
	input(): Promise<string>;
}

/** Place in a makefile. */
export interface Place {
	file: string;
	line: number;
}

/** A run of make over makefiles that are read once. */
export interface MakeState {
	machine: Machine;
	switches: Switches;
	/** `make` or `make[1]`, as messages begin. */
	name: string;
	level: number;
	/** Variables of all targets. */
	globals: Scope;
	files: Files;
	rules: PatternRule[];
	patternVariables: PatternVariables;
	paths: SearchPaths;
	/** Character that begins a line of a recipe. */
	prefix: string;
	exportsAll: boolean;
	isOneShell: boolean;
	expandsTwice: boolean;
	isPosix: boolean;
	/** Place of what is read or expanded now. */
	place: Place | null;
	/** Definition of the variable that is expanded now. */
	definition: Place | null;
	/** All is read: rules can have no further prerequisites. */
	isSettled: boolean;
	/** Scope in which text is read: that of a `$(foreach)` or `$(call)` around an `$(eval)`, else that of all targets. */
	readScope: Scope;
	/** Makefiles that were read or are wanted, in their order. */
	makefiles: WantedMakefile[];
	/** Reads text as part of the makefile that is read now. */
	evaluate(text: string): Promise<void>;
	/** Prints on stdout; the directory is announced before the first line where that is wanted. */
	say(text: string): Promise<void>;
	/** Prints an error on stderr, after `make: ` or a place. */
	warn(text: string, place?: Place | null): Promise<void>;
}

export interface WantedMakefile {
	name: string;
	isIncluded: boolean;
	/** May be missing. */
	isOptional: boolean;
	/** Line that includes it. */
	place: Place | null;
	wasMissing: boolean;
}

/** Place of an error in what is expanded now. */
export const errorPlace = (state: MakeState): string => placeText(state.definition ?? state.place);

export const placeText = (place: Place | null): string => (place ? `${place.file}:${place.line}` : '');

/** Says once that an included makefile was not found. */
export async function sayMissing(state: MakeState, makefile: WantedMakefile): Promise<void> {
	if (!makefile.isIncluded || makefile.isOptional || !makefile.wasMissing) return;
	makefile.wasMissing = false;
	await state.warn(`${makefile.name}: No such file or directory`, makefile.place);
}
