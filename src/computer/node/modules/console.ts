import { formatWithOptions, inspect } from 'node-inspect-extracted';
import { table } from './console-table.ts';
import { nowMs } from '../runtime/clock.ts';

interface Sink {
	write(text: string): unknown;
	isTTY?: boolean;
}
interface ConsoleOptions {
	stdout: Sink;
	stderr?: Sink;
	colorMode?: boolean | 'auto';
	inspectOptions?: object;
	groupIndentation?: number;
}

/** `console.Console`: methods are bound, as in Node. @public */
export class Console {
	constructor(options: ConsoleOptions | Sink, stderr?: Sink) {
		const given = 'stdout' in options ? options : { stdout: options, stderr };
		Object.assign(
			this,
			consoleMethods(
				() => given.stdout,
				() => given.stderr ?? given.stdout,
				given
			)
		);
	}
}

/** `console.createTask` of the global console: stacks here have no parts of earlier tasks, so a task only runs. */
export function createTask(name: unknown): { run(work: () => unknown): unknown } {
	if (typeof name !== 'string' || name === '') throw new Error('First argument must be a non-empty string.');
	return {
		run(work) {
			if (typeof work !== 'function') throw new Error('First argument must be a function.');
			return Reflect.apply(work, undefined, []);
		}
	};
}

/** The methods of a console over two streams, asked for at each call: programs replace them. */
export function consoleMethods(out: () => Sink, err: () => Sink, options: Partial<ConsoleOptions> = {}) {
	let indent = '';
	const step = options.groupIndentation ?? 2;
	const counts = new Map<string, number>();
	const timers = new Map<string, number>();
	const colours = (sink: Sink) => (typeof options.colorMode === 'boolean' ? options.colorMode : sink.isTTY === true);
	const print = (sink: Sink, args: unknown[]) => {
		const text = formatWithOptions({ colors: colours(sink), ...options.inspectOptions }, ...args);
		sink.write(`${indent}${indent ? text.replaceAll('\n', `\n${indent}`) : text}\n`);
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
		warn: error,
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
		count(label = 'default') {
			counts.set(label, (counts.get(label) ?? 0) + 1);
			log(`${label}: ${counts.get(label)}`);
		},
		countReset: (label = 'default') => void counts.delete(label),
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
