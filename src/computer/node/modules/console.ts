import { formatWithOptions, inspect } from 'node-inspect-extracted';
import { invalidValue, nodeError } from '../runtime/errors.ts';
import { integer, plainObject } from '../runtime/validate.ts';
import { callable } from './callable.ts';
import { table } from './console-table.ts';
import { nowMs } from '../runtime/clock.ts';

interface Sink {
	write(text: string, done?: (error?: Error | null) => void): unknown;
	isTTY?: boolean;
	listenerCount?(event: string): number;
	once?(event: string, listener: () => void): unknown;
	removeListener?(event: string, listener: () => void): unknown;
}
interface ConsoleOptions {
	stdout: Sink;
	stderr?: Sink;
	ignoreErrors?: boolean;
	colorMode?: boolean | 'auto';
	inspectOptions?: object;
	groupIndentation?: number;
}

/** Streams of a console, which programs may replace. */
interface Streams {
	_stdout: Sink;
	_stderr: Sink;
}

/** Objects that are `instanceof Console`: the global console is created before the class. */
const consoles = new WeakSet();
const indentation = integer(0, 1000);

/** `console.Console`: methods are bound, as in Node. */
class OwnConsole {
	/** @throws ERR_CONSOLE_WRITABLE_STREAM, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
	constructor(options?: ConsoleOptions | Sink, stderr?: Sink, ignoreErrors = true) {
		const given = readOptions(options, stderr, ignoreErrors);
		const streams = { _stdout: given.stdout, _stderr: given.stderr ?? given.stdout };
		for (const [name, value] of Object.entries(streams)) {
			Object.defineProperty(this, name, { value, writable: true, configurable: true });
		}
		for (const [name, method] of Object.entries(consoleMethods(this as unknown as Streams, given))) {
			const inherited: unknown = Reflect.get(this, name);
			Object.assign(this, { [name]: typeof inherited === 'function' ? (inherited.bind(this) as unknown) : method });
		}
		consoles.add(this);
	}

	static [Symbol.hasInstance](value: unknown): boolean {
		return typeof value === 'object' && value !== null && consoles.has(value);
	}
}

/** @public */
export const Console = callable(Object.defineProperty(OwnConsole, 'name', { value: 'Console' }));

function readOptions(options: ConsoleOptions | Sink | undefined, stderr: Sink | undefined, ignoreErrors: boolean) {
	const isStream = !options || 'write' in options || !('stdout' in options);
	const given: Partial<ConsoleOptions> = isStream ? { stdout: options, stderr, ignoreErrors } : options;
	for (const name of ['stdout', 'stderr'] as const) {
		if (name === 'stderr' && given.stderr === undefined) continue;
		if (typeof given[name]?.write === 'function') continue;
		const words = `Console expects a writable stream instance for ${name}`;
		throw nodeError(TypeError, 'ERR_CONSOLE_WRITABLE_STREAM', words);
	}
	const { colorMode = 'auto', inspectOptions, groupIndentation } = given;
	if (typeof colorMode !== 'boolean' && colorMode !== 'auto') {
		throw invalidValue('colorMode', colorMode, "must be one of: 'auto', true, false");
	}
	if (inspectOptions !== undefined) plainObject(inspectOptions, 'options.inspectOptions');
	if (groupIndentation !== undefined) indentation(groupIndentation, 'groupIndentation');
	return given as ConsoleOptions;
}

/** Creates the console of a program, over its standard streams. */
export function globalConsole(streams: () => { stdout: Sink; stderr: Sink }): object {
	const replaced: Partial<Streams> = {};
	const made: Streams = {
		get _stdout() {
			return replaced._stdout ?? streams().stdout;
		},
		set _stdout(sink) {
			replaced._stdout = sink;
		},
		get _stderr() {
			return replaced._stderr ?? streams().stderr;
		},
		set _stderr(sink) {
			replaced._stderr = sink;
		}
	};
	for (const name of Object.keys(made)) Object.defineProperty(made, name, { enumerable: false });
	consoles.add(made);
	return Object.assign(made, consoleMethods(made, {}), { createTask, context });
}

const noop = () => {};

/** Writes, ignoring errors that the stream throws or emits. */
function writeQuietly(sink: Sink, text: string): void {
	const listens = () => sink.listenerCount?.('error') === 0 && sink.once?.('error', noop);
	listens();
	try {
		sink.write(text, (error) => {
			// Emitted after this call.
			if (error) listens();
		});
	} catch (error) {
		if (error instanceof RangeError && /call stack|recursion/.test(error.message)) throw error;
	} finally {
		sink.removeListener?.('error', noop);
	}
}

/** Methods of `console.context`, in the engine's order. */
const IN_CONTEXT =
	'dir dirXml table groupEnd clear count countReset profile profileEnd timeLog debug error info log warn trace group groupCollapsed assert time timeEnd timeStamp'.split(
		' '
	);

/** `console.context`: a console whose messages only an inspector shows, which there is none of. */
function context(_name: unknown): Record<string, () => void> {
	return Object.fromEntries(IN_CONTEXT.map((name) => [name, noop]));
}

/** `console.createTask` of the global console: stacks here do not include earlier tasks, so a task only runs. */
function createTask(name: unknown): { run(work: () => unknown): unknown } {
	if (typeof name !== 'string' || name === '') throw new Error('First argument must be a non-empty string.');
	return {
		run(work) {
			if (typeof work !== 'function') throw new Error('First argument must be a function.');
			return Reflect.apply(work, undefined, []);
		}
	};
}

/** Methods of a console over two streams, which are read at each call since programs may replace them. */
function consoleMethods(streams: Streams, options: Partial<ConsoleOptions>) {
	const [out, err] = [() => streams._stdout, () => streams._stderr];
	let indent = '';
	const step = options.groupIndentation ?? 2;
	const counts = new Map<string, number>();
	const timers = new Map<string, number>();
	const colours = (sink: Sink) => (typeof options.colorMode === 'boolean' ? options.colorMode : sink.isTTY === true);
	const print = (sink: Sink, args: unknown[]) => {
		const text = formatWithOptions({ colors: colours(sink), ...options.inspectOptions }, ...args);
		const line = `${indent}${indent ? text.replaceAll('\n', `\n${indent}`) : text}\n`;
		if (options.ignoreErrors === false) sink.write(line);
		else writeQuietly(sink, line);
	};
	const log = (...args: unknown[]) => print(out(), args);
	const error = (...args: unknown[]) => print(err(), args);
	const elapsed = (label: string) => {
		const ms = nowMs() - (timers.get(label) ?? 0);
		return ms >= 1000 ? `${(ms / 1000).toFixed(3)}s` : `${ms.toFixed(3).replace(/0+$/, '').replace(/\.$/, '')}ms`;
	};
	const group = (...args: unknown[]) => {
		if (args.length > 0) log(...args);
		indent += ' '.repeat(step);
	};
	return {
		log,
		info: log,
		debug: log,
		error,
		warn: (...args: unknown[]) => print(err(), args),
		trace(...args: unknown[]) {
			const trace = new Error(formatWithOptions({}, ...args));
			trace.name = 'Trace';
			error(trace.stack);
		},
		dir: (value: unknown, given?: object) =>
			log(inspect(value, { customInspect: false, colors: colours(out()), ...options.inspectOptions, ...given })),
		dirxml: log,
		assert(condition: unknown, ...args: unknown[]) {
			if (condition) return;
			if (typeof args[0] === 'string') error(`Assertion failed: ${args[0]}`, ...args.slice(1));
			else error(args.length > 0 ? 'Assertion failed:' : 'Assertion failed', ...args);
		},
		clear() {
			if (out().isTTY) out().write('\x1b[1;1H\x1b[0J');
		},
		count(given: unknown = 'default') {
			const label = `${given as string}`;
			counts.set(label, (counts.get(label) ?? 0) + 1);
			log(`${label}: ${counts.get(label)}`);
		},
		countReset(given: unknown = 'default') {
			const label = `${given as string}`;
			if (!counts.delete(label)) error(`Warning: Count for '${label}' does not exist`);
		},
		time(label = 'default') {
			if (!timers.has(label)) timers.set(label, nowMs());
			else error(`Warning: Label '${label}' already exists for console.time()`);
		},
		timeEnd(label = 'default') {
			if (!timers.has(label)) return error(`Warning: No such label '${label}' for console.timeEnd()`);
			log(`${label}: ${elapsed(label)}`);
			timers.delete(label);
		},
		timeLog(label = 'default', ...args: unknown[]) {
			if (!timers.has(label)) return error(`Warning: No such label '${label}' for console.timeLog()`);
			log(`${label}: ${elapsed(label)}`, ...args);
		},
		timeStamp() {},
		profile() {},
		profileEnd() {},
		group,
		groupCollapsed: group,
		groupEnd() {
			indent = indent.slice(step);
		},
		table(data: unknown, columns?: string[]) {
			if (typeof data !== 'object' || data === null) return log(data);
			log(table(data, columns));
		},
		Console
	};
}
