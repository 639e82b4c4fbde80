import { Scope } from './variables.ts';

/** Prerequisite of a target. */
export interface Prerequisite {
	file: TargetFile;
	/** Built before the target, but never causes a rebuild. */
	isOrderOnly: boolean;
	/** From `.EXTRA_PREREQS`: not in any automatic variable. */
	isExtra?: boolean;
	changed: boolean;
}

/** Prerequisites with a second expansion, after all makefiles were read. */
export interface LaterPrerequisites {
	text: string;
	/** Stem of a static pattern, to which `$*` refers. */
	stem: string | null;
}

/** Source lines of a recipe, without their prefix character. */
export interface Recipe {
	lines: string[];
	/** `null` for a built-in rule. */
	place: { file: string; line: number } | null;
	/** Number of the first line. */
	first: number;
	/** Lines found to run always, after they were expanded. */
	always?: Set<number>;
}

export type Outcome = 'success' | 'failed' | 'question';

/** File that a makefile mentions, or that a search has found. */
export class TargetFile {
	/** File of the makefiles to which it is identical: a search found it under that name. */
	sameAs: TargetFile | null = null;
	/** Path where a search found it, which is its name from the next update on. */
	foundAt: string | null = null;
	prerequisites: Prerequisite[] = [];
	later: { at: number; text: LaterPrerequisites }[] = [];
	recipe: Recipe | null = null;
	stem: string | null = null;
	/** Targets made by the same run of a recipe. */
	readonly alsoMakes: TargetFile[] = [];
	/** Further double-colon rules. */
	readonly others: TargetFile[] = [];
	isDoubleColon = false;
	isTarget = false;
	/** Set if a makefile names it, as a target or prerequisite. */
	isMentioned = false;
	isPhony = false;
	isIntermediate = false;
	isSecondary = false;
	isPrecious = false;
	isGoal = false;
	ignoresErrors = false;
	isSilent = false;
	wasSearched = false;
	ignoresPaths = false;
	isUpdating = false;
	isUpdated = false;
	outcome: Outcome | null = null;
	/** Set if it failed while updating an optional makefile, so nothing was printed. */
	failedQuietly = false;
	parent: TargetFile | null = null;
	/** Milliseconds; `null`: does not exist; undefined: not determined yet. */
	time: number | null | undefined;
	timeBefore: number | null | undefined;
	/** Its own variables, over those of its patterns and of the target that requires it. */
	scope: Scope | null = null;
	hasPatternVariables = false;

	constructor(public name: string) {}
}

/** All files by name. */
export class Files {
	readonly #byName = new Map<string, TargetFile>();

	find(name: string): TargetFile | undefined {
		return this.#byName.get(name);
	}

	enter(name: string): TargetFile {
		const known = this.#byName.get(name);
		if (known) return known;
		const file = new TargetFile(name);
		this.#byName.set(name, file);
		return file;
	}

	/** Registers another name for a file. */
	rename(file: TargetFile, name: string): void {
		if (!this.#byName.has(name)) this.#byName.set(name, file);
	}

	all(): TargetFile[] {
		return [...new Set(this.#byName.values())];
	}
}
