/** Origin of a value, as in `$(origin)`; later ones take precedence. */
export const ORIGINS = [
	'default',
	'environment',
	'file',
	'environment override',
	'command line',
	'override',
	'automatic'
] as const;
export type Origin = (typeof ORIGINS)[number];

export interface Variable {
	name: string;
	value: string;
	/** Expanded each time it is used; otherwise once, when it is set. */
	recursive: boolean;
	origin: Origin;
	/** Position where it was set. */
	place: { file: string; line: number } | null;
	exported: 'default' | 'yes' | 'no';
	/** Set for one target: not visible to its prerequisites. */
	isPrivate: boolean;
	/** Its value is appended to that of the outer scope. */
	appends: boolean;
	/** Specific to a target or a pattern. */
	ofTarget: boolean;
	/** Number of expansions in progress. */
	expanding: number;
	/** Further nested expansions allowed: `$(call)` may recur. */
	mayRecur: boolean;
}

/** Variables of a file, a target or a call, inside an outer scope. */
export class Scope {
	readonly #own = new Map<string, Variable>();

	/**
	 * @param outer enclosing scope
	 * @param isInherited outer belongs to another target or is global: its private variables are not visible
	 */
	constructor(
		public outer: Scope | null = null,
		public isInherited = false
	) {}

	own(name: string): Variable | undefined {
		return this.#own.get(name);
	}

	/** @param isParent the search started in a scope of another target: private variables are not visible */
	find(name: string, isParent = false): Variable | undefined {
		const own = this.#own.get(name);
		if (own && !(isParent && own.isPrivate)) return own;
		return this.outer?.find(name, isParent || this.isInherited);
	}

	/** Sets a variable here, unless its current value has an origin of higher precedence. */
	define(name: string, value: string, origin: Origin, recursive = false, environmentWins = false): Variable {
		const known = this.#own.get(name);
		if (!known) {
			const made: Variable = {
				...{ name, value, recursive, origin, place: null, exported: 'default' },
				...{ isPrivate: false, appends: false, ofTarget: false, expanding: 0, mayRecur: false }
			};
			this.#own.set(name, made);
			return made;
		}
		if (environmentWins && known.origin === 'environment') known.origin = 'environment override';
		if (rank(origin) >= rank(known.origin)) Object.assign(known, { value, origin, recursive, appends: false });
		return known;
	}

	undefine(name: string, origin: Origin): void {
		const known = this.#own.get(name);
		if (known && rank(origin) >= rank(known.origin)) this.#own.delete(name);
	}

	/** All variables visible from here; inner ones hide outer ones. */
	all(isParent = false): Map<string, Variable> {
		const seen = this.outer?.all(isParent || this.isInherited) ?? new Map<string, Variable>();
		for (const [name, variable] of this.#own) if (!(isParent && variable.isPrivate)) seen.set(name, variable);
		return seen;
	}
}

const rank = (origin: Origin): number => ORIGINS.indexOf(origin);
