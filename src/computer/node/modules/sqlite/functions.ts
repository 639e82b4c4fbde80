import type { Connection } from './connection.ts';
import type { SqliteLibrary } from './library.ts';
import { argumentValue, setError, setResult } from './values.ts';

type Call = (...args: unknown[]) => unknown;

const UTF8 = 1;
const DETERMINISTIC = 0x800;
const DIRECT_ONLY = 0x8_0000;

/** Function of a program, to be called from SQL. */
export interface ScalarFunction {
	/** Number of arguments; -1: any. */
	arity: number;
	call: Call;
	asBigInts: boolean;
	isDeterministic: boolean;
	isDirectOnly: boolean;
}

/** Function over the rows of a group or of a window. */
export interface AggregateFunction {
	/** First state, or a function that returns it. */
	start: unknown;
	step: Call;
	/** Undoes a step, for windows. */
	inverse: Call | undefined;
	result: Call | undefined;
	arity: number;
	asBigInts: boolean;
	isDirectOnly: boolean;
}

interface State {
	value: unknown;
}

/** The programs' functions, by the numbers under which SQLite keeps them. */
export class SqlFunctions {
	readonly #scalars = new Map<number, ScalarFunction>();
	readonly #aggregates = new Map<number, AggregateFunction>();
	/** States by the address of the memory that SQLite gives to each group. */
	readonly #states = new Map<number, State>();
	readonly #addresses: Record<'scalar' | 'step' | 'inverse' | 'value' | 'final' | 'destroy', number>;
	#last = 0;

	constructor(private readonly library: SqliteLibrary) {
		const stepping =
			(name: 'step' | 'inverse') =>
			(context: number, count: number, values: number): void =>
				this.#step(name, context, count, values);
		this.#addresses = {
			scalar: library.address('viii', (context: number, count: number, values: number) =>
				this.#scalar(context, count, values)
			),
			step: library.address('viii', stepping('step')),
			inverse: library.address('viii', stepping('inverse')),
			value: library.address('vi', (context: number) => this.#result(context, false)),
			final: library.address('vi', (context: number) => this.#result(context, true)),
			destroy: library.address('vi', (id: number) => {
				this.#scalars.delete(id);
				this.#aggregates.delete(id);
			})
		};
	}

	/** @throws ERR_SQLITE_ERROR */
	addScalar(connection: Connection, name: string, added: ScalarFunction): void {
		const id = ++this.#last;
		this.#scalars.set(id, added);
		const flags = UTF8 | (added.isDeterministic ? DETERMINISTIC : 0) | (added.isDirectOnly ? DIRECT_ONLY : 0);
		const { calls } = this.library;
		const { scalar, destroy } = this.#addresses;
		const code = this.library.withText(name, (at) =>
			calls.sqlite3_create_function_v2(connection.pointer, at, added.arity, flags, id, scalar, 0, 0, destroy)
		);
		connection.check(code);
	}

	/** @throws ERR_SQLITE_ERROR */
	addAggregate(connection: Connection, name: string, added: AggregateFunction): void {
		const id = ++this.#last;
		this.#aggregates.set(id, added);
		const flags = UTF8 | (added.isDirectOnly ? DIRECT_ONLY : 0);
		const { calls } = this.library;
		const { step, final, value, inverse, destroy } = this.#addresses;
		const window = added.inverse ? [value, inverse] : [0, 0];
		const code = this.library.withText(name, (at) =>
			calls.sqlite3_create_window_function(
				...[connection.pointer, at, added.arity, flags, id, step, final, ...window, destroy]
			)
		);
		connection.check(code);
	}

	#scalar(context: number, count: number, values: number): void {
		this.#calling(context, () => {
			const scalar = this.#scalars.get(this.library.calls.sqlite3_user_data(context));
			if (!scalar) throw new Error('SQLite calls a function that is gone.');
			setResult(this.library, context, scalar.call(...this.#arguments(count, values, scalar.asBigInts)));
		});
	}

	#step(name: 'step' | 'inverse', context: number, count: number, values: number): void {
		this.#calling(context, () => {
			const aggregate = this.#aggregateOf(context);
			const state = this.#stateOf(context, aggregate);
			const args = this.#arguments(count, values, aggregate.asBigInts);
			state.value = aggregate[name]?.(state.value, ...args);
		});
	}

	#result(context: number, isFinal: boolean): void {
		const { calls } = this.library;
		this.#calling(context, () => {
			const aggregate = this.#aggregateOf(context);
			const { value } = this.#stateOf(context, aggregate);
			setResult(this.library, context, aggregate.result ? aggregate.result(value) : value);
		});
		if (isFinal) this.#states.delete(calls.sqlite3_aggregate_context(context, 0));
	}

	#aggregateOf(context: number): AggregateFunction {
		const aggregate = this.#aggregates.get(this.library.calls.sqlite3_user_data(context));
		if (!aggregate) throw new Error('SQLite calls a function that is gone.');
		return aggregate;
	}

	#stateOf(context: number, { start }: AggregateFunction): State {
		const at = this.library.calls.sqlite3_aggregate_context(context, 1);
		if (at === 0) throw new RangeError('SQLite has no memory left');
		const known = this.#states.get(at);
		if (known) return known;
		const state = { value: typeof start === 'function' ? (start as Call)() : start };
		this.#states.set(at, state);
		return state;
	}

	#arguments(count: number, values: number, asBigInts: boolean): unknown[] {
		return Array.from({ length: count }, (_, index) =>
			argumentValue(this.library, this.library.memory.int32(values + index * 4), asBigInts)
		);
	}

	/** Runs code of the program; its exception ends the statement and is thrown to the caller of that. */
	#calling(context: number, run: () => void): void {
		this.library.callBack(run, () => setError(this.library, context, ''));
	}
}
