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

/** Prerequisites that are expanded again when all is read. */
export interface LaterPrerequisites {
	text: string;
	/** Stem of a static pattern: its `%` becomes `$*`. */
	stem: string | null;
}

/** Lines of a recipe as they are written, without the character before them. */
export interface Recipe {
	lines: string[];
	/** `null`: of a rule that is built in. */
	place: { file: string; line: number } | null;
	/** Line of the first one. */
	first: number;
	/** Lines that turned out to run always, when they were expanded. */
	always?: Set<number>;
}

export type Outcome = 'success' | 'failed' | 'question';

/** A file that makefiles mention, or that a search met. */
export class TargetFile {
	/** File of the makefiles that it is the same as: a search found it under that name. */
	sameAs: TargetFile | null = null;
	/** Place where a search found it, and its name from the next update on. */
	foundAt: string | null = null;
	prerequisites: Prerequisite[] = [];
	later: { at: number; text: LaterPrerequisites }[] = [];
	recipe: Recipe | null = null;
	stem: string | null = null;
	/** Made by the same run of a recipe. */
	readonly alsoMakes: TargetFile[] = [];
	/** Further rules with `::`. */
	readonly others: TargetFile[] = [];
	isDoubleColon = false;
	isTarget = false;
	/** A makefile names it, as a target or as what one needs. */
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
	/** Failed while a makefile was made that may be missing, so nothing was printed. */
	failedQuietly = false;
	parent: TargetFile | null = null;
	/** Milliseconds; `null`: nothing is there; undefined: not looked at. */
	time: number | null | undefined;
	timeBefore: number | null | undefined;
	/** Its own variables, over those of its patterns and of the target that needs it. */
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

	/** A file is known under a further name. */
	rename(file: TargetFile, name: string): void {
		if (!this.#byName.has(name)) this.#byName.set(name, file);
	}

	all(): TargetFile[] {
		return [...new Set(this.#byName.values())];
	}
}
