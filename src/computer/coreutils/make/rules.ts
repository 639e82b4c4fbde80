import { stemOf, withStem } from './names.ts';

/** One line of a recipe, without its tab. */
export interface RecipeLine {
	text: string;
	/** Location: `Makefile:3`. */
	place: string;
}

/** Rule of a makefile for one target. */
export interface Rule {
	prerequisites: string[];
	/** Built before the target, but never a reason to rebuild it. */
	orderOnly: string[];
	/** Filled while the lines under it are read. Empty: it says only what the target needs. */
	recipe: RecipeLine[];
	/** Value of `$*`: the part that `%` matched. */
	stem: string;
}

export interface PatternRule extends Omit<Rule, 'stem'> {
	targets: string[];
}

/** `target: NAME = value`. */
export interface TargetAssignment {
	name: string;
	operator: string;
	value: string;
}

/** All rules that were read. */
export class Rules {
	readonly #explicit = new Map<string, Rule[]>();
	readonly assignments = new Map<string, TargetAssignment[]>();
	/** The first target that is no special one: what is made when nothing is asked for. */
	first: string | null = null;
	#patterns: PatternRule[] = [];

	isPhony(target: string): boolean {
		return this.#special('.PHONY', target);
	}

	isSilent(target: string): boolean {
		const rule = this.#own('.SILENT');
		return rule !== null && (rule.prerequisites.length === 0 || rule.prerequisites.includes(target));
	}

	/** All lines of a recipe run in one shell. */
	get isOneShell(): boolean {
		return this.#explicit.has('.ONESHELL');
	}

	/** Returns true if a rule mentions the file. */
	mentions(name: string): boolean {
		if (this.#explicit.has(name)) return true;
		return [...this.#explicit.values()].some((rules) => rules.some((rule) => rule.prerequisites.includes(name)));
	}

	add(target: string, rule: Rule): void {
		this.#explicit.set(target, [...(this.#explicit.get(target) ?? []), rule]);
		if (this.first === null && (!target.startsWith('.') || target.includes('/'))) this.first = target;
	}

	addPattern(rule: PatternRule): void {
		this.#patterns.push(rule);
	}

	/**
	 * The rule for a target: its own, with the recipe of a pattern where it has none.
	 * @param canBe whether a file is there or can be made
	 */
	find(target: string, canBe: (name: string) => boolean): Rule | null {
		const own = this.#own(target);
		if (own && (own.recipe.length > 0 || this.isPhony(target))) return own;
		const fitting = this.#patterns
			.filter(({ recipe }) => recipe.length > 0)
			.flatMap((rule) =>
				rule.targets.flatMap((pattern) => {
					const stem = stemOf(pattern, pattern.includes('/') ? target : target.slice(target.lastIndexOf('/') + 1));
					const directory = pattern.includes('/') ? '' : target.slice(0, target.lastIndexOf('/') + 1);
					return stem === null || stem === '' ? [] : [{ rule, stem, directory }];
				})
			)
			.sort((a, b) => a.stem.length - b.stem.length);
		for (const { rule, stem, directory } of fitting) {
			const fill = (name: string) => (name.includes('%') ? directory + withStem(name, stem) : name);
			const prerequisites = rule.prerequisites.map(fill);
			if (!prerequisites.every(canBe)) continue;
			return {
				prerequisites: [...prerequisites, ...(own?.prerequisites ?? [])],
				orderOnly: [...rule.orderOnly.map(fill), ...(own?.orderOnly ?? [])],
				recipe: rule.recipe,
				stem: directory + stem
			};
		}
		return own;
	}

	/** Combines all rules of a target: the last recipe, with its prerequisites first. */
	#own(target: string): Rule | null {
		const rules = this.#explicit.get(target);
		if (!rules) return null;
		const main = rules.findLast(({ recipe }) => recipe.length > 0);
		const ordered = main ? [main, ...rules.filter((rule) => rule !== main)] : rules;
		return {
			prerequisites: ordered.flatMap(({ prerequisites }) => prerequisites),
			orderOnly: ordered.flatMap(({ orderOnly }) => orderOnly),
			recipe: main?.recipe ?? [],
			stem: main?.stem ?? ''
		};
	}

	#special(name: string, target: string): boolean {
		return this.#own(name)?.prerequisites.includes(target) ?? false;
	}
}
