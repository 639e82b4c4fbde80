import type { Runtime } from '../../runtime/runtime.ts';
import { importsFor } from './imports.ts';
import { SqliteMemory, utf8 } from './memory.ts';
import { type Callback, wasmFunction } from './wasm-function.ts';

const ASSET = 'sqlite3.wasm';

/** Pointer or 32-bit number. */
type Integer = number;
type Call<Args extends unknown[] = Integer[], Result = Integer> = (...args: Args) => Result;

type Numeric =
	| ('initialize' | 'vfs_find' | 'vfs_register' | 'vfs_unregister' | 'open_v2' | 'close_v2' | 'busy_timeout' | 'exec')
	| ('errmsg' | 'errstr' | 'errcode' | 'extended_errcode' | 'get_autocommit' | 'db_filename' | 'prepare_v2' | 'step')
	| ('reset' | 'finalize' | 'clear_bindings' | 'sql' | 'expanded_sql' | 'bind_parameter_count' | 'bind_parameter_index')
	| ('bind_parameter_name' | 'bind_null' | 'bind_text' | 'bind_blob' | 'column_count' | 'column_name' | 'column_type')
	| ('column_text' | 'column_blob' | 'column_bytes' | 'column_decltype' | 'column_origin_name' | 'column_table_name')
	| ('column_database_name' | 'value_type' | 'value_text' | 'value_blob' | 'value_bytes' | 'create_function_v2')
	| ('create_window_function' | 'user_data' | 'aggregate_context' | 'backup_init' | 'backup_step' | 'backup_finish')
	| ('backup_remaining' | 'backup_pagecount');
type Silent = 'free' | 'result_null' | 'result_text' | 'result_blob' | 'result_error';
type Session =
	| ('session_create' | 'session_attach' | 'session_changeset' | 'session_patchset')
	| ('changeset_apply' | 'session_delete');

/** Functions that the module exports. */
type Exports = {
	[Name in Numeric as `sqlite3_${Name}`]: Call;
} & { [Name in Silent as `sqlite3_${Name}`]: Call<Integer[], void> } & {
	[Name in Session as `sqlite3${Name}`]: Call;
} & {
	__indirect_function_table: WebAssembly.Table;
	__wasm_call_ctors(): void;
	sqlite3_malloc: Call;
	sqlite3__wasm_db_config_ip: Call;
	sqlite3_changes64: Call<[Integer], bigint>;
	sqlite3_last_insert_rowid: Call<[Integer], bigint>;
	sqlite3_bind_double: Call<[Integer, Integer, number]>;
	sqlite3_bind_int64: Call<[Integer, Integer, bigint]>;
	sqlite3_column_double: Call;
	sqlite3_column_int64: Call<[Integer, Integer], bigint>;
	sqlite3_value_double: Call;
	sqlite3_value_int64: Call<[Integer], bigint>;
	sqlite3_result_double: Call<[Integer, number], void>;
	sqlite3_result_int64: Call<[Integer, bigint], void>;
};

let compiled: WebAssembly.Module | undefined;

/** SQLite's WebAssembly module for one program: its functions, its memory, and calls back. */
export class SqliteLibrary {
	readonly memory = new SqliteMemory();
	readonly calls: Exports;
	#thrown: { error: unknown } | null = null;
	/** Place for two results of a call, for as long as the call lasts. */
	readonly scratch: number;

	/** Compiles and starts the module, 0.9 MB, at once: the first line of a program may open a database. */
	constructor(sys: Runtime['sys']) {
		compiled ??= new WebAssembly.Module(new Uint8Array(sys.asset(ASSET)));
		const instance = new WebAssembly.Instance(compiled, importsFor(this.memory, compiled));
		this.calls = instance.exports as unknown as Exports;
		this.calls.__wasm_call_ctors();
		this.calls.sqlite3_initialize();
		this.scratch = this.allocate(16);
	}

	/** Runs a program's function that SQLite has called; its exception is thrown when SQLite has returned. */
	callBack<Result>(run: () => Result, failed: () => Result): Result {
		try {
			return run();
		} catch (error) {
			this.#thrown = { error };
			return failed();
		}
	}

	/** Throws the exception of a function that SQLite has called. */
	rethrow(): void {
		const thrown = this.#thrown;
		this.#thrown = null;
		if (thrown) throw thrown.error;
	}

	/** @throws RangeError if there is no memory */
	allocate(size: number): number {
		const at = this.calls.sqlite3_malloc(Math.max(1, size));
		if (at === 0) throw new RangeError('SQLite has no memory left');
		return at;
	}

	/** Copies bytes into the module; `sqlite3_free` frees them. */
	place(bytes: Uint8Array): number {
		const at = this.allocate(bytes.length);
		this.memory.bytes.set(bytes, at);
		return at;
	}

	/** Copies a text with a NUL at its end. */
	placeText(text: string): number {
		return this.place(utf8(`${text}\0`));
	}

	/** Calls with a copy of a text, which is freed afterwards. */
	withText<Result>(text: string, call: (at: number) => Result): Result {
		const at = this.placeText(text);
		try {
			return call(at);
		} finally {
			this.calls.sqlite3_free(at);
		}
	}

	/** Returns the address of a function for the module, which remains for as long as the program. */
	address(signature: string, callback: Callback): number {
		const table = this.calls.__indirect_function_table;
		const at = table.grow(1);
		table.set(at, wasmFunction(signature, callback));
		return at;
	}
}
