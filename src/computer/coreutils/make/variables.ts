/** Origins of values, as in `$(origin)`, in increasing precedence. */
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
	/** Set if it is expanded at each use; otherwise once, when it is set. */
	recursive: boolean;
	origin: Origin;
	/** Position where it was set. */
	place: { file: string; line: number } | null;
	exported: 'default' | 'yes' | 'no';
	/** Set for one target only, invisible to its prerequisites. */
	isPrivate: boolean;
	/** Set if its value is appended to that of the outer scope. */
	appends: boolean;
	/** Set if it is specific to a target or pattern. */
	ofTarget: boolean;
	/** Number of current expansions. */
	expanding: number;
	/** Number of recursive expansions allowed: `$(call)` may recurse. */
	mayRecur: boolean;
}

/** Variables of a file, a target or a call, inside an outer scope. */
export class Scope {
	readonly #own = new Map<string, Variable>();

	/**
	 * @param outer surrounding scope
	 * @param isInherited whether outer belongs to another target, or is global: its private variables are invisible
	 */
	constructor(
		public outer: Scope | null = null,
		public isInherited = false
	) {}

	own(name: string): Variable | undefined {
		return this.#own.get(name);
	}

	/** @param isParent whether it is called for an inner scope of another target: private variables are invisible */
	find(name: string, isParent = false): Variable | undefined {
		const own = this.#own.get(name);
		if (own && !(isParent && own.isPrivate)) return own;
		return this.outer?.find(name, isParent || this.isInherited);
	}

	/** Sets a variable here, unless it has a value of a higher-precedence origin. */
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

	/** All variables visible from here, the innermost for each name. */
	all(isParent = false): Map<string, Variable> {
		const seen = this.outer?.all(isParent || this.isInherited) ?? new Map<string, Variable>();
		for (const [name, variable] of this.#own) if (!(isParent && variable.isPrivate)) seen.set(name, variable);
		return seen;
	}
}

const rank = (origin: Origin): number => ORIGINS.indexOf(origin);
