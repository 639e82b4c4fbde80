type Call = (...args: unknown[]) => unknown;
/** Jest's callback of a test or hook: ends it, with an error if it gets one. */
type Done = ((error?: unknown) => void) & { fail(error?: unknown): void };

const isCall = (value: unknown): value is Call => typeof value === 'function';

/** Jest's form of a function that declares tests or hooks: their functions get a callback if they have a parameter. */
export function withCallbacks<Declare extends object>(declare: Declare): Declare {
	return new Proxy(declare, {
		apply: (target, self, args: unknown[]) => call(target, self, args, 0),
		get: (target, key): unknown => {
			const value: unknown = Reflect.get(target, key);
			if (!isCall(value)) return value;
			return key === 'each' ? eachRow(value.bind(target)) : withCallbacks(value);
		}
	});
}

/** `test.each`: the callback follows the values of a row. */
function eachRow(each: Call): Call {
	return (...table) => {
		const declare = each(...table) as Call;
		return (...args: unknown[]) => call(declare, undefined, args, Infinity);
	};
}

/** @param values maximum number of arguments before the callback: without a table there are none */
function call(declare: object, self: unknown, args: unknown[], values: number): unknown {
	const given = args.map((arg) => (isCall(arg) ? completed(arg, values) : arg));
	return Reflect.apply(declare as Call, self, given);
}

function completed(run: Call, values: number): Call {
	const apply = (self: unknown, all: unknown[]): unknown => {
		const row = all.slice(0, values);
		if (run.length <= row.length) return Reflect.apply(run, self, row);
		return new Promise<void>((resolve, reject) => {
			const fail = (error: unknown = new Error('Failed: ""')) => reject(asError(error));
			const done: Done = Object.assign((error?: unknown) => (error ? fail(error) : resolve()), { fail });
			if (Reflect.apply(run, self, [...row, done]) instanceof Promise)
				fail(new Error('Test functions cannot both take a "done" callback and return something.'));
		});
	};
	// vitest's runner reads parameters in a function's text: this one shows none.
	return new Proxy(() => undefined, { apply: (_target, self, all) => apply(self, all) });
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(`Failed: ${String(error)}`));
