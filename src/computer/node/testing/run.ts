import type { Runtime } from '../runtime/runtime.ts';
import { invalidArgument, nodeError } from '../runtime/errors.ts';
import { oneOf } from '../runtime/validate.ts';
import streams from '../modules/stream.ts';
import { findFiles, runFiles } from './files.ts';
import { StreamEvents, type StreamEvent } from './stream-events.ts';

/** Options of `run()` of `node:test`. */
export interface RunOptions {
	files?: string[];
	globPatterns?: string[];
	cwd?: string;
	/** Number of concurrent processes; `true` for the number of processors. */
	concurrency?: number | boolean;
	argv?: string[];
	execArgv?: string[];
	testNamePatterns?: string | RegExp | (string | RegExp)[];
	only?: boolean;
	/** Timeout of each file in milliseconds. */
	timeout?: number;
	signal?: AbortSignal;
	/** Called with the stream before the first file runs. */
	setup?: (stream: TestsStream) => unknown;
	watch?: boolean;
	isolation?: 'process' | 'none';
	coverage?: boolean;
}

/** Events of a run as they arrive: read as objects, or by listeners of their type. */
export class TestsStream extends streams.Readable {
	constructor() {
		super({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER });
	}

	override _read(): void {
		// Events are pushed as they arrive.
	}

	/** Passes an event to the listeners of its type and to the reader. */
	report(event: StreamEvent): void {
		this.emit(event.type, event.data);
		this.push(event);
	}
}

/**
 * `run()` of `node:test`: runs test files, each in a separate process.
 * @param isInside whether the program itself is run as a test file: then no file is run, as in Node
 */
export function createRun(runtime: Runtime, isInside: () => boolean): (options?: RunOptions) => TestsStream {
	return (options = {}) => {
		checkOptions(options);
		const stream = new TestsStream();
		if (isInside()) {
			const words = 'node:test run() is being called recursively within a test file. skipping running files.';
			runtime.process.emitWarning(words);
			stream.push(null);
			return stream;
		}
		void runtime.loop.holdWhile(runInto(stream, runtime, options)).catch((error: unknown) => {
			stream.destroy(error instanceof Error ? error : new Error(String(error)));
		});
		return stream;
	};
}

async function runInto(stream: TestsStream, runtime: Runtime, options: RunOptions): Promise<void> {
	const { process, resolvePath } = runtime;
	const cwd = resolvePath(options.cwd ?? process.cwd());
	const files = options.files?.map((file) => resolvePath(file)) ?? findFiles(runtime, options.globPatterns ?? [], cwd);
	const flags = [...process.execArgv.filter((flag) => !flag.startsWith('--test')), ...(options.execArgv ?? [])];
	for (const pattern of [options.testNamePatterns ?? []].flat()) flags.push(`--test-name-pattern=${String(pattern)}`);
	if (options.only) flags.push('--test-only');
	if (options.timeout !== undefined && Number.isFinite(options.timeout))
		flags.push(`--test-timeout=${options.timeout}`);
	const events = new StreamEvents();
	await options.setup?.(stream);
	const run = { files, concurrency: processesOf(options.concurrency), flags, argv: options.argv, cwd };
	await runFiles(runtime, { ...run, signal: options.signal }, (event, file) => {
		for (const one of events.from(event, file)) stream.report(one);
	});
	stream.push(null);
}

/** @throws TypeError `ERR_INVALID_ARG_TYPE`, `ERR_INVALID_ARG_VALUE` */
function checkOptions(options: RunOptions): void {
	if (options === null || typeof options !== 'object') throw invalidArgument('options', 'of type object', options);
	const { files, setup, globPatterns } = options;
	if (files !== undefined && !Array.isArray(files)) {
		throw invalidArgument('options.files', 'an instance of Array', files);
	}
	if (globPatterns !== undefined && !Array.isArray(globPatterns)) {
		throw invalidArgument('options.globPatterns', 'an instance of Array', globPatterns);
	}
	if (setup !== undefined && typeof setup !== 'function') {
		throw invalidArgument('options.setup', 'of type function', setup);
	}
	if (options.isolation !== undefined) oneOf(['none', 'process'])(options.isolation, 'options.isolation');
	if (options.isolation === 'none') {
		const words = 'run() of node:test runs each file in a process of its own in this sandbox. Leave isolation out.';
		throw nodeError(Error, 'ERR_SANDGLASS_UNSUPPORTED', words);
	}
	if (options.coverage) {
		const words = 'run() of node:test counts no coverage in a browser tab. Leave coverage out.';
		throw nodeError(Error, 'ERR_SANDGLASS_UNSUPPORTED', words);
	}
	if (options.watch) {
		const words = 'run() of node:test does not watch files in this sandbox. Use node --test --watch.';
		throw nodeError(Error, 'ERR_SANDGLASS_UNSUPPORTED', words);
	}
}

function processesOf(concurrency: RunOptions['concurrency']): number {
	if (concurrency === true) return Math.max(1, navigator.hardwareConcurrency - 1);
	return typeof concurrency === 'number' && concurrency >= 1 ? Math.trunc(concurrency) : 1;
}
