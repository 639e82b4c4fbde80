import { invalidState } from './errors.ts';
import type { Part } from './connection.ts';
import { bindValue } from './values.ts';

/** Parameters of a statement: those with names are bound from an object, the others in order. */
export class Parameters {
	allowsBareNames: boolean;
	allowsUnknownNames: boolean;
	/** Name without its prefix → with it; read on first use. */
	#bareNames: Map<string, string> | null = null;

	constructor(
		private readonly statement: Part,
		options: { allowsBareNames: boolean; allowsUnknownNames: boolean }
	) {
		this.allowsBareNames = options.allowsBareNames;
		this.allowsUnknownNames = options.allowsUnknownNames;
	}

	/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_SQLITE_ERROR */
	bind(given: readonly unknown[]): void {
		const { calls } = this.statement.connection.library;
		calls.sqlite3_clear_bindings(this.statement.pointer);
		const [first] = given;
		const isNamed =
			((typeof first === 'object' && first !== null) || typeof first === 'function') && !ArrayBuffer.isView(first);
		if (isNamed) this.#bindNamed(first);
		let index = 0;
		for (const value of given.slice(isNamed ? 1 : 0)) {
			do index++;
			while (this.#nameOf(index)?.startsWith('?') === false);
			this.#bind(index, value);
		}
	}

	#bindNamed(values: object): void {
		const bare = this.allowsBareNames ? this.#bare() : null;
		for (const [name, value] of Object.entries(values)) {
			const index = this.#indexOf(name) || this.#indexOf(bare?.get(name));
			if (index > 0) this.#bind(index, value);
			else if (!this.allowsUnknownNames) throw invalidState(`Unknown named parameter '${name}'`);
		}
	}

	#bind(index: number, value: unknown): void {
		const { connection, pointer } = this.statement;
		connection.check(bindValue(connection.library, pointer, index, value));
	}

	/** @throws ERR_INVALID_STATE if two names differ only by their prefix */
	#bare(): Map<string, string> {
		if (this.#bareNames) return this.#bareNames;
		const names = new Map<string, string>();
		const count = this.statement.connection.library.calls.sqlite3_bind_parameter_count(this.statement.pointer);
		for (let index = 1; index <= count; index++) {
			const full = this.#nameOf(index);
			if (full === null) continue;
			const bare = full.slice(1);
			const other = names.get(bare);
			if (other !== undefined && other !== full) {
				throw invalidState(
					`Cannot create bare named parameter '${bare}' because of conflicting names '${other}' and '${full}'.`
				);
			}
			names.set(bare, full);
		}
		return (this.#bareNames = names);
	}

	#nameOf(index: number): string | null {
		const { calls, memory } = this.statement.connection.library;
		return memory.text(calls.sqlite3_bind_parameter_name(this.statement.pointer, index));
	}

	#indexOf(name: string | undefined): number {
		if (name === undefined) return 0;
		const { library } = this.statement.connection;
		return library.withText(name, (at) => library.calls.sqlite3_bind_parameter_index(this.statement.pointer, at));
	}
}
