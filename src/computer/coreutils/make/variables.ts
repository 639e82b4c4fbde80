/** Origin of a value, as in `$(origin)`; a later one wins over those before it. */
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
	/** Expanded each time it is used; otherwise once, when it was set. */
	recursive: boolean;
	origin: Origin;
	/** Place where it was set. */
	place: { file: string; line: number } | null;
	exported: 'default' | 'yes' | 'no';
	/** Set for one target: it is not what its prerequisites see. */
	isPrivate: boolean;
	/** Its value comes behind that of the scope around it. */
	appends: boolean;
	/** Set for a target or a pattern. */
	ofTarget: boolean;
	/** Expansions that are under way. */
	expanding: number;
	/** Further expansions of itself that are allowed while one is under way: `$(call)` may recur. */
	mayRecur: boolean;
}

/** Variables of a file, a target or a call, over those of the scope around it. */
export class Scope {
	readonly #own = new Map<string, Variable>();

	/**
	 * @param outer scope around it
	 * @param isInherited outer is that of another target, or of all: its private variables are not seen
	 */
	constructor(
		public outer: Scope | null = null,
		public isInherited = false
	) {}

	own(name: string): Variable | undefined {
		return this.#own.get(name);
	}

	/** @param isParent it is asked for a scope inside that belongs to another target: private variables are not seen */
	find(name: string, isParent = false): Variable | undefined {
		const own = this.#own.get(name);
		if (own && !(isParent && own.isPrivate)) return own;
		return this.outer?.find(name, isParent || this.isInherited);
	}

	/** Sets a variable here, unless it has a value of a stronger origin. */
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

	/** All variables that are seen from here, the inner one of each name. */
	all(isParent = false): Map<string, Variable> {
		const seen = this.outer?.all(isParent || this.isInherited) ?? new Map<string, Variable>();
		for (const [name, variable] of this.#own) if (!(isParent && variable.isPrivate)) seen.set(name, variable);
		return seen;
	}
}

const rank = (origin: Origin): number => ORIGINS.indexOf(origin);
