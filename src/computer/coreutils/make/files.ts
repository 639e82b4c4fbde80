import { Scope } from './variables.ts';

/** File that a target needs. */
export interface Prerequisite {
	file: TargetFile;
	/** Built before the target, but never a reason to rebuild it. */
	isOrderOnly: boolean;
	/** Comes from `.EXTRA_PREREQS`: no automatic variable names it. */
	isExtra?: boolean;
	changed: boolean;
}

/** Prerequisites that are expanded again after all makefiles are read. */
export interface LaterPrerequisites {
	text: string;
	/** Stem of a static pattern, to which `$*` refers. */
	stem: string | null;
}

/** Lines of a recipe as written, without the prefix character. */
export interface Recipe {
	lines: string[];
	/** `null` for a built-in rule. */
	place: { file: string; line: number } | null;
	/** Line number of the first one. */
	first: number;
	/** Lines that always run, as found out when they were expanded. */
	always?: Set<number>;
}

export type Outcome = 'success' | 'failed' | 'question';

/** A file that a makefile mentions, or that a search found. */
export class TargetFile {
	/** Another file of the makefiles that this one turned out to be: a search found it under that name. */
	sameAs: TargetFile | null = null;
	/** Path where a search found it; its name from the next update on. */
	foundAt: string | null = null;
	prerequisites: Prerequisite[] = [];
	later: { at: number; text: LaterPrerequisites }[] = [];
	recipe: Recipe | null = null;
	stem: string | null = null;
	/** Files made by the same run of a recipe. */
	readonly alsoMakes: TargetFile[] = [];
	/** Further rules with `::`. */
	readonly others: TargetFile[] = [];
	isDoubleColon = false;
	isTarget = false;
	/** A makefile mentions it, as a target or a prerequisite. */
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
	/** Failed while an optional makefile was made, so nothing was printed. */
	failedQuietly = false;
	parent: TargetFile | null = null;
	/** Milliseconds; `null` if it does not exist, undefined if not checked yet. */
	time: number | null | undefined;
	timeBefore: number | null | undefined;
	/** Its own variables, over those of its patterns and of the target that depends on it. */
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

	/** Makes a file known under a further name. */
	rename(file: TargetFile, name: string): void {
		if (!this.#byName.has(name)) this.#byName.set(name, file);
	}

	all(): TargetFile[] {
		return [...new Set(this.#byName.values())];
	}
}
