/** A shell variable with its attributes. */
export interface Variable {
	value: string | undefined;
	indexed?: Map<number, string>;
	associative?: Map<string, string>;
	exported?: boolean;
	readonly?: boolean;
	integer?: boolean;
	lower?: boolean;
	upper?: boolean;
	reference?: boolean;
}

export class ReadonlyVariable extends Error {
	override readonly name = 'ReadonlyVariable';
	constructor(variable: string) {
		super(`${variable}: readonly variable`);
	}
}

/** The variables of one shell, with the scopes of the functions being run. */
export class Variables {
	#all = new Map<string, Variable>();
	/** What `local` hid, innermost function last. */
	#scopes: Map<string, Variable | undefined>[] = [];
	/** Variables whose value is made when it is asked for (`RANDOM`, `SECONDS` …). */
	readonly dynamic = new Map<string, () => string>();

	/** The variable behind a name, through name references. */
	find(name: string): Variable | undefined {
		const variable = this.#all.get(this.resolve(name));
		return variable;
	}

	/** Follows `declare -n`. */
	resolve(name: string): string {
		for (let depth = 0; depth < 8; depth++) {
			const variable = this.#all.get(name);
			if (!variable?.reference || !variable.value) return name;
			name = variable.value;
		}
		return name;
	}

	get(name: string): string | undefined {
		const made = this.dynamic.get(name);
		if (made) return made();
		const variable = this.find(name);
		if (!variable) return undefined;
		if (variable.indexed) return variable.indexed.get(0);
		if (variable.associative) return variable.associative.get('0');
		return variable.value;
	}

	/** @throws ReadonlyVariable */
	set(name: string, value: string): void {
		const target = this.resolve(name);
		const variable = this.#all.get(target);
		if (!variable) {
			this.#all.set(target, { value });
			return;
		}
		if (variable.readonly) throw new ReadonlyVariable(target);
		const shaped = shape(variable, value);
		if (variable.indexed) variable.indexed.set(0, shaped);
		else if (variable.associative) variable.associative.set('0', shaped);
		else variable.value = shaped;
	}

	/** @throws ReadonlyVariable */
	setElement(name: string, key: number | string, value: string): void {
		const variable = this.declare(name, {});
		if (variable.readonly) throw new ReadonlyVariable(name);
		const shaped = shape(variable, value);
		if (variable.associative) {
			variable.associative.set(String(key), shaped);
			return;
		}
		const items = (variable.indexed ??= new Map(variable.value === undefined ? [] : [[0, variable.value]]));
		variable.value = undefined;
		let index = Number(key);
		if (index < 0) index += Math.max(-1, ...items.keys()) + 1;
		items.set(index, shaped);
	}

	/** Makes the variable if need be and adds attributes. */
	declare(name: string, attributes: Partial<Variable>): Variable {
		const target = attributes.reference ? name : this.resolve(name);
		const variable = this.#all.get(target) ?? { value: undefined };
		Object.assign(variable, attributes);
		this.#all.set(target, variable);
		return variable;
	}

	/** @throws ReadonlyVariable */
	unset(name: string): void {
		const target = this.resolve(name);
		if (this.#all.get(target)?.readonly) throw new ReadonlyVariable(target);
		this.#all.delete(target);
	}

	enterScope(): void {
		this.#scopes.push(new Map());
	}

	leaveScope(): void {
		for (const [name, before] of this.#scopes.pop() ?? []) {
			if (before) this.#all.set(name, before);
			else this.#all.delete(name);
		}
	}

	/** Hides the variable for the rest of the function. False outside of one. */
	makeLocal(name: string): boolean {
		const scope = this.#scopes.at(-1);
		if (!scope) return false;
		if (!scope.has(name)) {
			const before = this.#all.get(name);
			scope.set(name, before);
			this.#all.set(name, before?.exported ? { value: undefined, exported: true } : { value: undefined });
		}
		return true;
	}

	/** Sets variables for the length of one command; call the result to put the old ones back. */
	override(values: Iterable<[string, string]>): () => void {
		const before: [string, Variable | undefined][] = [];
		for (const [name, value] of values) {
			const old = this.#all.get(name);
			if (old?.readonly) throw new ReadonlyVariable(name);
			before.push([name, old]);
			this.#all.set(name, { value, exported: true });
		}
		return () => {
			for (const [name, variable] of before.reverse()) {
				if (variable) this.#all.set(name, variable);
				else this.#all.delete(name);
			}
		};
	}

	names(): string[] {
		return [...this.#all.keys()].sort();
	}

	/** What a child process gets. */
	environment(): Record<string, string> {
		const environment: Record<string, string> = {};
		for (const [name, variable] of this.#all) {
			if (!variable.exported) continue;
			const value = this.get(name);
			if (value !== undefined) environment[name] = value;
		}
		return environment;
	}

	fork(): Variables {
		const copy = new Variables();
		for (const [name, variable] of this.#all) copy.#all.set(name, duplicate(variable));
		copy.#scopes = this.#scopes.map((scope) => new Map(scope));
		for (const [name, make] of this.dynamic) copy.dynamic.set(name, make);
		return copy;
	}
}

function duplicate(variable: Variable): Variable {
	const copy = { ...variable };
	if (variable.indexed) copy.indexed = new Map(variable.indexed);
	if (variable.associative) copy.associative = new Map(variable.associative);
	return copy;
}

function shape(variable: Variable, value: string): string {
	if (variable.lower) return value.toLowerCase();
	if (variable.upper) return value.toUpperCase();
	return value;
}

/** The elements of an array in order, or the single value of a plain variable. */
export function elements(variable: Variable | undefined): [string, string][] {
	if (!variable) return [];
	if (variable.associative) return [...variable.associative];
	if (variable.indexed) {
		return [...variable.indexed].sort((a, b) => a[0] - b[0]).map(([index, value]) => [String(index), value]);
	}
	return variable.value === undefined ? [] : [['0', variable.value]];
}
