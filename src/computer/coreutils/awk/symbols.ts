import { AwkError } from './faults.ts';
import type { Runtime } from './runtime.ts';
import { AwkArray, Untyped, type Value } from './values.ts';

/** `SYMTAB`: an array whose elements are the global variables. */
export class SymbolTable extends AwkArray {
	constructor(private readonly runtime: Runtime) {
		super('SYMTAB');
	}

	override has(key: string): boolean {
		return this.runtime !== undefined && this.runtime.slots.has(key) && key !== 'SYMTAB' && key !== 'FUNCTAB';
	}

	override get(key: string): Value | AwkArray {
		if (!this.has(key)) return undefined;
		const cell = this.runtime.globals[this.runtime.slot(key)];
		if (cell instanceof AwkArray) return cell;
		return cell instanceof Untyped ? cell.current : (this.runtime.get(key) ?? null);
	}

	override take(key: string): Value | AwkArray {
		if (!this.has(key)) throw new AwkError(`reference to uninitialized element \`SYMTAB["${key}"] is not allowed'`);
		return this.get(key);
	}

	override set(key: string, value: Value | AwkArray): this {
		if (!this.has(key)) throw new AwkError('cannot assign to arbitrary elements of SYMTAB');
		if (value instanceof AwkArray) this.runtime.globals[this.runtime.slot(key)] = value;
		else this.runtime.set(key, value);
		return this;
	}

	override keys() {
		return [...this.runtime.slots.keys()].filter((key) => this.has(key)).values();
	}

	override *[Symbol.iterator](): MapIterator<[string, Value | AwkArray]> {
		for (const key of this.keys()) yield [key, this.get(key)];
	}

	override get size(): number {
		return [...this.keys()].length;
	}
}

/** `FUNCTAB`: an array with the names of all functions. */
export class FunctionTable extends AwkArray {
	constructor(names: readonly string[]) {
		super('FUNCTAB');
		for (const name of names) Map.prototype.set.call(this, name, name);
	}

	override take(key: string): Value | AwkArray {
		if (!this.has(key)) throw new AwkError(`reference to uninitialized element \`FUNCTAB["${key}"] is not allowed'`);
		return this.get(key);
	}

	override set(): this {
		throw new AwkError('cannot assign to elements of FUNCTAB');
	}
}
