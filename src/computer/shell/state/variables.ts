/** Shell variable with its attributes. */
export interface Variable {
	value: string | undefined;
	indexed?: Map<number, string>;
	associative?: Map<string, string>;
	/** Number of buckets of an associative array, which determines the order of its keys. */
	buckets?: number;
	/** Set for an array that was declared but not assigned yet. */
	isUnset?: boolean;
	exported?: boolean;
	readonly?: boolean;
	integer?: boolean;
	lower?: boolean;
	upper?: boolean;
	capital?: boolean;
	trace?: boolean;
	reference?: boolean;
	/** Set during one command: a `local` of that name starts with its value. */
	temporary?: boolean;
}

export class ReadonlyVariable extends Error {
	override readonly name = 'ReadonlyVariable';
	constructor(readonly variable: string) {
		super(`${variable}: readonly variable`);
	}
}

/** Maximum length of a chain of name references before it counts as circular. */
const REFERENCES = 8;

/** Variable that was set for one command. */
interface Temporary {
	name: string;
	/** Hidden variable. */
	before: Variable | undefined;
	/** Number of running functions when it was created. */
	depth: number;
	/** Kind of the command, once known. */
	command: 'function' | 'other' | null;
	/** Set if `local` has made it a variable of the function that called the command. */
	isLocal: boolean;
	/** Set if it was removed before the end of the command. */
	isOver: boolean;
	/** Set if the command declares it, so that it persists. */
	stays?: boolean;
}

/** Variables of one shell, with the scopes of the functions being run. */
export class Variables {
	#all = new Map<string, Variable>();
	/** Variables hidden by `local`, innermost function last. */
	#scopes: Map<string, Variable | undefined>[] = [];
	/** Temporary variables, innermost last. */
	#temporary: Temporary[] = [];
	/** Variables whose value is computed on access (`RANDOM`, `SECONDS` …). */
	readonly dynamic = new Map<string, () => string>();
	/** Called with values assigned to a dynamic variable. */
	readonly assigned = new Map<string, (value: string) => void>();

	/** Called when a reference refers to itself, and therefore to the global variable of its name. */
	onCircular: (name: string) => void = () => undefined;

	/** Called after an assignment to a variable, and without a value once it is unset. */
	readonly followed = new Map<string, (value: string | undefined, variables: Variables) => void>();

	/** Returns the variable of a name, following name references. */
	find(name: string): Variable | undefined {
		return this.#seen(baseOf(this.resolve(name)));
	}

	/** Returns the variable of a resolved name: for a local reference to itself, the global one. */
	#seen(name: string): Variable | undefined {
		const variable = this.#all.get(name);
		const scope = this.#hidingScope(name, variable);
		if (!scope) return variable;
		this.onCircular(name);
		return scope.get(name);
	}

	/** Returns the outermost scope that hides a variable with the name of a self-reference; undefined for any other. */
	#hidingScope(name: string, variable: Variable | undefined): Map<string, Variable | undefined> | undefined {
		if (!variable?.reference || variable.value !== name) return undefined;
		return this.#scopes.find((scope) => scope.has(name));
	}

	/** Stores a variable at the scope of a resolved name. */
	#put(name: string, variable: Variable): void {
		const scope = this.#hidingScope(name, this.#all.get(name));
		if (scope) scope.set(name, variable);
		else this.#all.set(name, variable);
	}

	/** Returns whether a name is a reference to itself in a function. */
	meansGlobal(name: string): boolean {
		return this.#hidingScope(name, this.#all.get(name)) !== undefined;
	}

	/** Returns the variable of exactly that name, without following references. */
	raw(name: string): Variable | undefined {
		return this.#all.get(name);
	}

	/** Follows `declare -n`. The result may be the name of an element. */
	resolve(name: string): string {
		const first = name;
		for (let depth = 0; depth < REFERENCES; depth++) {
			const variable = this.#all.get(name);
			if (!variable?.reference || !variable.value) return name;
			name = variable.value;
		}
		return first;
	}

	/** Returns whether name references starting at `name` form a cycle. */
	isCircular(name: string): boolean {
		let at = this.#all.get(name);
		for (let depth = 0; at?.reference && at.value; depth++) {
			if (depth === REFERENCES) return true;
			at = this.#all.get(at.value);
		}
		return false;
	}

	get(name: string): string | undefined {
		const made = this.dynamic.get(name);
		if (made) return made();
		const variable = this.#seen(this.resolve(name));
		if (!variable) return undefined;
		if (variable.reference) return undefined;
		if (variable.indexed) return variable.indexed.get(0);
		if (variable.associative) return variable.associative.get('0');
		return variable.value;
	}

	/** @throws ReadonlyVariable */
	set(name: string, value: string): void {
		const target = this.resolve(name);
		const noticed = this.assigned.get(target);
		if (noticed) return noticed(value);
		this.#store(target, value);
		this.followed.get(target)?.(value, this);
	}

	#store(target: string, value: string): void {
		const variable = this.#seen(target);
		if (!variable) {
			this.#put(target, { value });
			return;
		}
		if (variable.readonly) throw new ReadonlyVariable(target);
		const shaped = shape(variable, value);
		delete variable.isUnset;
		if (variable.indexed) variable.indexed.set(0, shaped);
		else if (variable.associative) variable.associative.set('0', shaped);
		else variable.value = shaped;
	}

	/** @throws ReadonlyVariable */
	setElement(name: string, key: number | string, value: string): void {
		const variable = this.declare(name, {});
		if (variable.readonly) throw new ReadonlyVariable(name);
		const shaped = shape(variable, value);
		delete variable.isUnset;
		if (variable.associative) {
			variable.associative.set(String(key), shaped);
			return;
		}
		const items = (variable.indexed ??= new Map(variable.value === undefined ? [] : [[0, variable.value]]));
		variable.value = undefined;
		items.set(Number(key), shaped);
	}

	/** Creates the variable if necessary and adds attributes. */
	declare(name: string, attributes: Partial<Variable>): Variable {
		const target = attributes.reference === undefined ? baseOf(this.resolve(name)) : name;
		const isSeen = attributes.reference === undefined;
		const variable = (isSeen ? this.#seen(target) : this.#all.get(target)) ?? { value: undefined };
		Object.assign(variable, attributes);
		if (isSeen) this.#put(target, variable);
		else this.#all.set(target, variable);
		return variable;
	}

	/** @throws ReadonlyVariable */
	unset(name: string): void {
		this.unsetRaw(this.resolve(name));
	}

	/** Does not follow references. @throws ReadonlyVariable */
	unsetRaw(name: string): void {
		if (this.#all.get(name)?.readonly) throw new ReadonlyVariable(name);
		this.dynamic.delete(name);
		this.assigned.delete(name);
		const index = this.#scopes.findLastIndex((scope) => scope.has(name));
		const record = this.#temporaryOf(name);
		const isSeen = record && record.depth > index && (record.isLocal || this.#all.get(name)?.temporary);
		if (isSeen && !(record.isLocal && record.depth === this.#scopes.length)) {
			record.isOver = true;
			this.#reveal(record);
			return;
		}
		if (isSeen) {
			this.#all.delete(name);
			return;
		}
		if (index >= 0 && index < this.#scopes.length - 1) {
			// A caller's local variable is replaced by what it hid.
			const before = this.#scopes[index]?.get(name);
			this.#scopes[index]?.delete(name);
			if (before) this.#all.set(name, before);
			else this.#all.delete(name);
			return;
		}
		const old = this.#all.get(name);
		// The function's own variable remains local, without a value.
		if (index >= 0 && old) this.#all.set(name, { value: undefined, ...(old.exported ? { exported: true } : {}) });
		else this.#all.delete(name);
		if (old) this.followed.get(name)?.(undefined, this);
	}

	enterScope(): void {
		for (const record of this.#temporary) record.command ??= 'function';
		this.#scopes.push(new Map());
	}

	leaveScope(): void {
		for (const [name, before] of this.#scopes.pop() ?? []) {
			if (before) this.#all.set(name, before);
			else this.#all.delete(name);
		}
	}

	get isInFunction(): boolean {
		return this.#scopes.length > 0;
	}

	/** Names of the variables of the function being run. */
	localNames(): string[] {
		const adopted = this.#temporary.filter((one) => one.isLocal && !one.isOver && one.depth === this.#scopes.length);
		const names = new Set([...(this.#scopes.at(-1)?.keys() ?? []), ...adopted.map(({ name }) => name)]);
		return [...names].filter((name) => this.#all.has(name)).sort();
	}

	/**
	 * Hides the variable for the rest of the function. Returns false outside of one.
	 *
	 * @param inherit `local -I`: keeps its value and attributes
	 */
	makeLocal(name: string, inherit = false): boolean {
		const scope = this.#scopes.at(-1);
		if (!scope) return false;
		// The position of `getopts` within an argument belongs to the argument's index.
		if (name === 'OPTIND') this.makeLocal('_OPTOFFSET');
		if (this.#adoptTemporary(name, scope) || scope.has(name)) return true;
		const before = this.#all.get(name);
		// A local variable of a caller does not count.
		if (before?.readonly && !this.#scopes.some((one) => one.has(name))) throw new ReadonlyVariable(name);
		scope.set(name, before);
		if (before && (before.temporary || inherit)) this.#all.set(name, { ...duplicate(before), temporary: false });
		else this.#all.set(name, before?.exported ? { value: undefined, exported: true } : { value: undefined });
		return true;
	}

	/** Makes a variable visible that functions hide. The result hides it again. */
	showGlobal(name: string): () => void {
		const scope = this.#scopes.find((one) => one.has(name));
		if (!scope) return this.#showBelowTemporary(name);
		const hidden = this.#all.get(name);
		const global = scope.get(name);
		if (global) this.#all.set(name, global);
		else this.#all.delete(name);
		return () => {
			scope.set(name, this.#all.get(name));
			if (hidden) this.#all.set(name, hidden);
			else this.#all.delete(name);
		};
	}

	/** Makes a variable visible that a temporary one of a function's call hides. */
	#showBelowTemporary(name: string): () => void {
		const record = this.#temporaryOf(name);
		if (record?.command !== 'function') return () => {};
		const hidden = this.#all.get(name);
		this.#reveal(record);
		return () => {
			record.before = this.#all.get(name);
			if (hidden) this.#all.set(name, hidden);
		};
	}

	/** Returns the variable with its current value, for listings; references are not followed. */
	described(name: string): Variable | undefined {
		const made = this.dynamic.get(name);
		return made ? { ...this.#all.get(name), value: made() } : this.#all.get(name);
	}

	/** Sets variables for one command; the result restores the old ones. */
	override(values: Iterable<[string, string]>): () => void {
		const made: Temporary[] = [];
		for (const [name, value] of values) {
			const old = this.#all.get(name);
			if (old?.readonly) throw new ReadonlyVariable(name);
			const record: Temporary = {
				name,
				before: old,
				depth: this.#scopes.length,
				command: null,
				isLocal: false,
				isOver: false
			};
			made.push(record);
			this.#temporary.push(record);
			this.#all.set(name, { value: shape(old ?? { value }, value), exported: true, temporary: true });
		}
		return () => {
			for (const record of made.reverse()) {
				this.#temporary.pop();
				if (record.stays) this.#settle(record);
				else if (!record.isOver) this.#reveal(record);
			}
		};
	}

	/** Sets and exports a variable permanently, even if it is a temporary one of a command. */
	keep(name: string, value: string): void {
		this.set(name, value);
		this.declare(name, { exported: true });
		for (const record of this.#temporary)
			if (record.name === name && !record.isLocal) record.before = { value, exported: true };
	}

	/**
	 * Records that a declaration names a variable: one of its own command persists after it, and so does one of the
	 * function's call that is exported or made readonly.
	 */
	keepDeclared(name: string, ofCall: boolean): void {
		const record = this.#temporaryOf(name);
		const isOwn = record?.command === null;
		if (record && (isOwn || (ofCall && record.command === 'function' && !record.isLocal))) record.stays = true;
	}

	/** Turns a temporary variable into one that persists in the scope in which it was set. */
	#settle({ name, depth, isLocal, before }: Temporary): void {
		const variable = this.#all.get(name);
		if (variable) delete variable.temporary;
		const scope = this.#scopes[depth - 1];
		if (isLocal && scope && !scope.has(name)) scope.set(name, before);
	}

	/**
	 * Marks the command of the temporary variables as not being a function: they stay above the scopes of functions it
	 * calls.
	 */
	keepTemporary(): void {
		for (const record of this.#temporary) record.command ??= 'other';
	}

	/** Restores the variable that a temporary one hides. */
	#reveal({ name, before }: Temporary): void {
		if (before) this.#all.set(name, before);
		else this.#all.delete(name);
	}

	/** Returns the visible temporary variable of that name, if any. */
	#temporaryOf(name: string): Temporary | undefined {
		return this.#temporary.findLast((record) => record.name === name && !record.isOver);
	}

	/** Makes a temporary variable local if it belongs to the function being run. */
	#adoptTemporary(name: string, scope: Map<string, Variable | undefined>): boolean {
		const record = this.#temporaryOf(name);
		const variable = this.#all.get(name);
		if (!record || !variable?.temporary) return false;
		const isOfCall = record.command === 'function' && record.depth === this.#scopes.length - 1;
		if (!isOfCall && record.depth !== this.#scopes.length) return false;
		variable.temporary = false;
		if (isOfCall) {
			// From now on it is in the function's own scope.
			record.isOver = true;
			scope.set(name, record.before);
		} else record.isLocal = true;
		return true;
	}

	/** @param kept variables that remain without being exported, with their initial values */
	forgetUnexported(kept: ReadonlyMap<string, Variable>): void {
		this.#scopes = [];
		this.#temporary = [];
		for (const [name, variable] of [...this.#all]) {
			if (variable.exported) continue;
			const first = kept.get(name);
			if (first) this.#all.set(name, duplicate(first));
			else this.#all.delete(name);
		}
	}

	/** Copies of all variables in their current state. */
	snapshot(): Map<string, Variable> {
		return new Map([...this.#all].map(([name, variable]) => [name, duplicate(variable)]));
	}

	names(): string[] {
		return [...new Set([...this.#all.keys(), ...this.dynamic.keys()])].sort();
	}

	/** Environment of a child process. */
	environment(): Record<string, string> {
		const environment: Record<string, string> = {};
		for (const name of this.#all.keys()) {
			const value = this.exported(name);
			if (value !== undefined) environment[name] = value;
		}
		return environment;
	}

	/** Value of a variable in the environment of programs, including those that run within the shell. */
	exported(name: string): string | undefined {
		const variable = this.#all.get(name);
		if (!variable || variable.indexed || variable.associative) return undefined;
		const own = variable.reference ? variable.value : this.get(name);
		return variable.exported && own !== undefined ? own : this.#hiddenValue(name);
	}

	/** Value of an exported variable that is hidden by a local one without a value: programs still receive it. */
	#hiddenValue(name: string): string | undefined {
		const hidden = this.#scopes.findLast((scope) => scope.get(name)?.value !== undefined)?.get(name);
		return hidden?.exported ? hidden.value : undefined;
	}

	fork(): Variables {
		const copy = new Variables();
		for (const [name, variable] of this.#all) copy.#all.set(name, duplicate(variable));
		copy.#scopes = this.#scopes.map((scope) => new Map(scope));
		copy.#temporary = this.#temporary.map((record) => ({ ...record }));
		for (const [name, make] of this.dynamic) copy.dynamic.set(name, make);
		for (const [name, notice] of this.assigned) copy.assigned.set(name, notice);
		for (const [name, follow] of this.followed) copy.followed.set(name, follow);
		return copy;
	}
}

const baseOf = (name: string) => (name.includes('[') ? name.slice(0, name.indexOf('[')) : name);

function duplicate(variable: Variable): Variable {
	const copy = { ...variable };
	if (variable.indexed) copy.indexed = new Map(variable.indexed);
	if (variable.associative) copy.associative = new Map(variable.associative);
	return copy;
}

/** Converts a value according to the variable's attributes. */
export function shape(variable: Variable, value: string): string {
	if (variable.lower) return value.toLowerCase();
	if (variable.upper) return value.toUpperCase();
	if (variable.capital) return value.slice(0, 1).toUpperCase() + value.slice(1).toLowerCase();
	return value;
}

/** Elements of an array in order, or the single value of a plain variable. */
export function elements(variable: Variable | undefined): [string, string][] {
	if (!variable) return [];
	if (variable.associative) return inBashOrder(variable.associative, variable.buckets);
	if (variable.indexed) {
		return [...variable.indexed].sort((a, b) => a[0] - b[0]).map(([index, value]) => [String(index), value]);
	}
	return variable.value === undefined ? [] : [['0', variable.value]];
}

const BUCKETS = 1024;
const encoder = new TextEncoder();

/** Entries in bash's order of walking its hash table: by bucket, newest first within a bucket. */
export function inBashOrder<Value>(items: ReadonlyMap<string, Value>, first = BUCKETS): [string, Value][] {
	let buckets = first;
	while (items.size >= buckets * 2) buckets *= 4;
	return [...items]
		.map((item, index) => ({ item, index, bucket: bucketOf(item[0], buckets) }))
		.sort((a, b) => a.bucket - b.bucket || b.index - a.index)
		.map(({ item }) => item);
}

function bucketOf(key: string, buckets: number): number {
	let hash = 2166136261;
	for (const byte of encoder.encode(key)) hash = Math.imul(hash, 16777619) ^ byte;
	return (hash >>> 0) & (buckets - 1);
}
