import { SQLITE } from './codes.ts';
import { Part, type Connection } from './connection.ts';
import { illegalConstructor, invalidState, requireBoolean } from './errors.ts';
import { Parameters } from './parameters.ts';
import { columnValue, type SqlValue } from './values.ts';

/** Settings of new statements. */
export interface StatementOptions {
	readsBigInts: boolean;
	returnsArrays: boolean;
	allowsBareNames: boolean;
	allowsUnknownNames: boolean;
}

type Row = SqlValue[] | Record<string, SqlValue>;

const key = Symbol('statement');

/** Ends the statements that a program has lost. */
const lost = new FinalizationRegistry<Part>((statement) => statement.end());

/** @throws ERR_SQLITE_ERROR */
export function prepare(connection: Connection, sql: string, options: StatementOptions): StatementSync {
	const { library } = connection;
	const code = library.withText(sql, (at) =>
		library.calls.sqlite3_prepare_v2(connection.pointer, at, -1, library.scratch, 0)
	);
	connection.check(code);
	const pointer = library.memory.int32(library.scratch);
	const part = new Part(connection, pointer, () => void library.calls.sqlite3_finalize(pointer));
	// Nothing but blanks and comments.
	if (pointer === 0) part.end();
	const statement = new StatementSync(key, part, options);
	lost.register(statement, part);
	return statement;
}

/** Prepared statement. */
export class StatementSync {
	readonly #part: Part;
	readonly #parameters: Parameters;
	#readsBigInts: boolean;
	#returnsArrays: boolean;

	/** @throws ERR_ILLEGAL_CONSTRUCTOR for programs, which get it from `prepare` */
	constructor(given?: unknown, part?: Part, options?: StatementOptions) {
		if (given !== key || !part || !options) throw illegalConstructor();
		this.#part = part;
		this.#parameters = new Parameters(part, options);
		this.#readsBigInts = options.readsBigInts;
		this.#returnsArrays = options.returnsArrays;
		const text = (name: 'sql' | 'expanded_sql') => () => {
			const { memory, calls } = this.#live().library;
			const at = calls[`sqlite3_${name}`](part.pointer);
			const found = memory.text(at) ?? '';
			if (name === 'expanded_sql') calls.sqlite3_free(at);
			return found;
		};
		Object.defineProperties(this, {
			sourceSQL: { get: text('sql'), enumerable: true },
			expandedSQL: { get: text('expanded_sql'), enumerable: true }
		});
	}

	/** Rows of the result, each read when it is requested. */
	iterate(...values: unknown[]): Iterator<Row> {
		this.#begin(values);
		return new StatementSyncIterator(
			key,
			() => this.#nextRow(),
			() => this.#reset()
		);
	}

	all(...values: unknown[]): Row[] {
		return this.#during(values, () => {
			const rows: Row[] = [];
			for (let row = this.#nextRow(); row; row = this.#nextRow()) rows.push(row);
			return rows;
		});
	}

	get(...values: unknown[]): Row | undefined {
		return this.#during(values, () => this.#nextRow() ?? undefined);
	}

	run(...values: unknown[]): { lastInsertRowid: number | bigint; changes: number | bigint } {
		return this.#during(values, () => {
			this.#step();
			// Rows of `RETURNING` are left: the changes count when the statement ends.
			this.#reset();
			const { library, pointer } = this.#live();
			const shown = (value: bigint) => (this.#readsBigInts ? value : Number(value));
			const lastInsertRowid = shown(library.calls.sqlite3_last_insert_rowid(pointer));
			return { lastInsertRowid, changes: shown(library.calls.sqlite3_changes64(pointer)) };
		});
	}

	columns(): Record<string, string | null>[] {
		const { calls, memory } = this.#live().library;
		const { pointer } = this.#part;
		const names = ['origin_name', 'database_name', 'name', 'table_name', 'decltype'] as const;
		return Array.from({ length: calls.sqlite3_column_count(pointer) }, (_, index) => {
			const [column, database, name, table, type] = names.map((from) =>
				memory.text(calls[`sqlite3_column_${from}`](pointer, index))
			);
			return Object.assign(Object.create(null) as object, { column, database, name, table, type }) as Record<
				string,
				string | null
			>;
		});
	}

	setAllowBareNamedParameters(enabled: unknown): void {
		this.#live();
		requireBoolean(enabled, 'allowBareNamedParameters');
		this.#parameters.allowsBareNames = enabled;
	}

	setAllowUnknownNamedParameters(enabled: unknown): void {
		this.#live();
		requireBoolean(enabled, 'enabled');
		this.#parameters.allowsUnknownNames = enabled;
	}

	setReadBigInts(enabled: unknown): void {
		this.#live();
		requireBoolean(enabled, 'readBigInts');
		this.#readsBigInts = enabled;
	}

	setReturnArrays(enabled: unknown): void {
		this.#live();
		requireBoolean(enabled, 'returnArrays');
		this.#returnsArrays = enabled;
	}

	/** @throws ERR_INVALID_STATE */
	#live(): Connection {
		if (this.#part.isEnded) throw invalidState('statement has been finalized');
		return this.#part.connection;
	}

	/** @throws ERR_INVALID_STATE within a function that this statement has called */
	#requireIdle(): void {
		if (this.#part.isRunning) throw invalidState('statement is being executed');
	}

	#begin(values: unknown[]): void {
		this.#live();
		this.#reset();
		this.#parameters.bind(values);
	}

	#during<Result>(values: unknown[], act: () => Result): Result {
		this.#begin(values);
		try {
			return act();
		} finally {
			this.#reset();
		}
	}

	/** Its code repeats that of the last step, which was thrown then. */
	#reset(): void {
		this.#requireIdle();
		if (!this.#part.isEnded) this.#part.connection.library.calls.sqlite3_reset(this.#part.pointer);
	}

	/** @returns whether there is a row */
	#step(): boolean {
		const connection = this.#live();
		this.#requireIdle();
		this.#part.isRunning = true;
		let code;
		try {
			code = connection.running(() => connection.library.calls.sqlite3_step(this.#part.pointer));
		} finally {
			this.#part.isRunning = false;
		}
		connection.library.rethrow();
		if (code !== SQLITE.ROW && code !== SQLITE.DONE) throw connection.error();
		return code === SQLITE.ROW;
	}

	#nextRow(): Row | null {
		if (!this.#step()) return null;
		const { library } = this.#live();
		const { pointer } = this.#part;
		const count = library.calls.sqlite3_column_count(pointer);
		const values = Array.from({ length: count }, (_, index) =>
			columnValue(library, pointer, index, this.#readsBigInts)
		);
		if (this.#returnsArrays) return values;
		const row = Object.create(null) as Record<string, SqlValue>;
		for (const [index, value] of values.entries()) {
			row[library.memory.text(library.calls.sqlite3_column_name(pointer, index)) ?? ''] = value;
		}
		return row;
	}
}

const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object;

type Step<Value> = { done: false; value: Value } | { done: true; value: null };
const step = <Value>(done: boolean, value: Value): Step<Value> =>
	Object.assign(Object.create(null) as object, { done, value }) as Step<Value>;

/** Iterator over the rows of a statement. */
class StatementSyncIterator {
	readonly #next: () => Row | null;
	readonly #end: () => void;
	#isDone = false;

	constructor(given: symbol, next: () => Row | null, end: () => void) {
		if (given !== key) throw illegalConstructor();
		this.#next = next;
		this.#end = end;
	}

	next(): Step<Row> {
		if (this.#isDone) return step(true, null) as Step<Row>;
		const row = this.#next();
		return row ? step(false, row) : this.return();
	}

	return(): Step<Row> {
		if (!this.#isDone) this.#end();
		this.#isDone = true;
		return step(true, null) as Step<Row>;
	}
}
Object.setPrototypeOf(StatementSyncIterator.prototype, iteratorPrototype);
