import { OPEN, SQLITE } from './codes.ts';
import { invalidState, sqliteError } from './errors.ts';
import type { SqliteLibrary } from './library.ts';

/** Something of a connection that ends with it: a statement or a session. */
export class Part {
	#end: (() => void) | null;
	/** Set while the library executes it. */
	isRunning = false;

	/** @param pointer of the library */
	constructor(
		readonly connection: Connection,
		readonly pointer: number,
		end: () => void
	) {
		this.#end = end;
		connection.parts.add(this);
	}

	get isEnded(): boolean {
		return this.#end === null;
	}

	end(): void {
		this.#end?.();
		this.#end = null;
		this.connection.parts.delete(this);
	}
}

/** Opened database of the library. */
export class Connection {
	readonly parts = new Set<Part>();
	#isOpen = true;
	/** Number of calls of the library that are running, each within a function that the one before has called. */
	#running = 0;

	private constructor(
		readonly library: SqliteLibrary,
		readonly pointer: number
	) {}

	/** @param name path or `file:` address. @throws ERR_SQLITE_ERROR */
	static open(library: SqliteLibrary, name: string, flags: number): Connection {
		const { calls, memory, scratch } = library;
		const code = library.withText(name, (at) => calls.sqlite3_open_v2(at, scratch, flags | OPEN.URI, 0));
		const connection = new Connection(library, memory.int32(scratch));
		if (code === SQLITE.OK) return connection;
		const error = sqliteError(library, connection.pointer);
		connection.close();
		throw error;
	}

	get isOpen(): boolean {
		return this.#isOpen;
	}

	/** Runs a call of the library in which it may call functions of the program. */
	running<Result>(call: () => Result): Result {
		this.#running++;
		try {
			return call();
		} finally {
			this.#running--;
		}
	}

	/**
	 * Ends its statements and sessions, too.
	 * @throws ERR_INVALID_STATE within a function that SQLite has called
	 */
	close(): void {
		if (this.#running > 0) throw invalidState('database is executing a statement');
		for (const part of this.parts) part.end();
		this.#isOpen = false;
		this.library.calls.sqlite3_close_v2(this.pointer);
	}

	/** Runs statements without parameters. @throws ERR_SQLITE_ERROR, exceptions of functions */
	execute(sql: string): void {
		const { calls } = this.library;
		const run = (at: number) => this.running(() => calls.sqlite3_exec(this.pointer, at, 0, 0, 0));
		this.check(this.library.withText(sql, run));
	}

	/** Sets a switch of the connection. @throws ERR_SQLITE_ERROR */
	configure(option: number, value: boolean): void {
		this.check(this.library.calls.sqlite3__wasm_db_config_ip(this.pointer, option, Number(value), 0));
	}

	/** @throws the exception of a function that SQLite has called, ERR_SQLITE_ERROR unless the call succeeded */
	check(code: number): void {
		this.library.rethrow();
		if (code !== SQLITE.OK) throw this.error();
	}

	error(): Error {
		return sqliteError(this.library, this.pointer);
	}

	/** @throws ERR_INVALID_STATE */
	requireOpen(): void {
		if (!this.#isOpen) throw invalidState('database is not open');
	}
}
