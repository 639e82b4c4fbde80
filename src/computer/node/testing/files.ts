import picomatch from 'picomatch';
import type { Runtime } from '../runtime/runtime.ts';
import type { TestOptions } from '../options.ts';
import { CHILD_VARIABLE, count, isFatal, noCounts, type TestEvent } from './events.ts';
import { failureReport, runnerError } from './failure.ts';
import { eventsOf, FileEvents, OutputLines } from './file-events.ts';
import { chosenReporters } from './reporters/chosen.ts';
import { nowMs } from '../runtime/clock.ts';

const EXTENSIONS = '{js,cjs,mjs,ts,cts,mts,tsx,jsx}';
const STANDARD = [
	`**/*.test.${EXTENSIONS}`,
	`**/*-test.${EXTENSIONS}`,
	`**/*_test.${EXTENSIONS}`,
	`**/test-*.${EXTENSIONS}`,
	`**/test.${EXTENSIONS}`,
	`**/test/**/*.${EXTENSIONS}`
];

/**
 * `node --test`: runs every file in a separate process and reports in the order of the files, each as it arrives.
 * @returns the exit code
 */
export async function runTestFiles(runtime: Runtime, patterns: string[], options: TestOptions): Promise<number> {
	const { process } = runtime;
	const files = findFiles(runtime, patterns);
	if (files.length === 0 && patterns.length > 0) {
		process.stderr.write(`Could not find '${patterns.join(', ')}'\n`);
		return 1;
	}
	const report = chosenReporters(runtime, options.reporters, options.destinations);
	const { concurrency } = options;
	const flags = process.execArgv.filter((argument) => argument !== '--test');
	const isSuccess = await runFiles(runtime, { files, concurrency, flags, cwd: process.cwd() }, report);
	return isSuccess ? 0 : 1;
}

export interface FileRun {
	/** Absolute paths. */
	files: readonly string[];
	/** Number of concurrent processes. */
	concurrency: number;
	/** Options of Node for each process. */
	flags: readonly string[];
	/** Arguments for each file. */
	argv?: readonly string[];
	cwd: string;
	/** Ends the running processes, and starts no more. */
	signal?: AbortSignal;
}

/**
 * Runs each file in a separate process and reports the events, file after file; the summary is last.
 * @returns whether no test failed
 */
export async function runFiles(
	runtime: Runtime,
	run: FileRun,
	report: (event: TestEvent, file?: string) => void
): Promise<boolean> {
	const startedMs = nowMs();
	const counts = noCounts();
	let success = true;
	const waiting = [...run.files];
	const results = new Map<string, FileEvents>();
	const start = () => {
		const file = run.signal?.aborted ? undefined : waiting.shift();
		if (file === undefined) return;
		const events = new FileEvents();
		results.set(file, events);
		const ended = runFile(runtime, file, run, (event) => events.add(event));
		events.endsWith(ended);
		void ended.then(start);
	};
	for (let index = 0; index < run.concurrency; index++) start();
	for (const file of run.files) {
		const running = results.get(file);
		await running?.follow((event) => {
			if (event.type === 'result') count(counts, event);
			if (event.type === 'result' && isFatal(event)) success = false;
			report(event, file);
		});
	}
	report({ type: 'summary', counts, durationMs: nowMs() - startedMs, success });
	return success;
}

/** Files of a project that match the patterns, or the default files of `node --test`. */
export function findFiles(runtime: Runtime, patterns: string[], cwd = runtime.process.cwd()): string[] {
	const exact = patterns.filter((pattern) => runtime.sys.statOrNull(runtime.resolvePath(pattern))?.kind === 'file');
	const globs = patterns.filter((pattern) => !exact.includes(pattern)).map((pattern) => pattern.replace(/^\.\//, ''));
	const found = exact.map((pattern) => runtime.resolvePath(pattern));
	if (globs.length > 0 || patterns.length === 0) {
		const matches = picomatch(patterns.length === 0 ? STANDARD : globs);
		for (const { path, stat } of runtime.sys.walk(cwd, { skip: ['node_modules', '.git'] })) {
			const absolute = path.startsWith('/') ? path : `${cwd}/${path}`;
			if (stat.kind === 'file' && matches(absolute.slice(cwd.length + 1))) found.push(absolute);
		}
	}
	return [...new Set(found)].sort();
}

async function runFile(
	runtime: Runtime,
	file: string,
	{ flags, argv = [], cwd, signal }: FileRun,
	tell: (event: TestEvent) => void
): Promise<void> {
	const { sys, process, loop } = runtime;
	const { reader, writer } = sys.pipe();
	const startedMs = nowMs();
	const pid = sys.spawn({
		argv: ['node', ...flags, file, ...argv],
		cwd,
		env: { ...process.env, [CHILD_VARIABLE]: 'child' },
		stdin: 'null',
		stdout: writer,
		stderr: writer
	});
	sys.close(writer);
	const kill = () => sys.kill(pid, 'SIGTERM');
	signal?.addEventListener('abort', kill, { once: true });
	const lines = new OutputLines();
	let summary: TestEvent | undefined;
	let failed = false;
	const take = (given: string[]) => {
		for (const event of given.flatMap(eventsOf)) {
			if (event.type === 'result') failed ||= isFatal(event);
			if (event.type === 'summary') summary = event;
			else tell(event);
		}
	};
	for (;;) {
		const bytes = await loop.holdWhile(runtime.async.read(reader, 65_536));
		if (bytes.length === 0) break;
		take(lines.add(bytes));
	}
	take(lines.rest());
	sys.close(reader);
	const { code, signal: endedBy } = await loop.holdWhile(runtime.async.waitPid(pid));
	signal?.removeEventListener('abort', kill);
	// A file without tests counts as a test itself; one that crashed has failed.
	if (summary && (code === 0 || failed)) return;
	const passed = code === 0;
	const ended = `test failed: exit code ${code}${endedBy ? `, ended by ${endedBy}` : ''}`;
	tell({
		type: 'result',
		name: file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file,
		nesting: 0,
		passed,
		suite: false,
		skip: null,
		todo: null,
		durationMs: nowMs() - startedMs,
		place: `${file}:1:1`,
		failure: passed ? null : failureReport(runnerError('testCodeFailure', ended), 'testCodeFailure'),
		inherited: false
	});
}
