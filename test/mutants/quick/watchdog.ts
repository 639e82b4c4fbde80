import { Worker } from 'node:worker_threads';

/** Time after which a blocked event loop counts as an endless loop. */
const BLOCKED_MS = 10_000;

/**
 * Runs in a separate thread: adds a line to the log and kills the process if a mutant keeps the main thread in an
 * endless loop, which no timer of that thread could end. A process that does not end after its last mutant is killed
 * too: a loop of promises may continue after the test that waited for it.
 */
const WATCH = `
const { appendFileSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const state = new Int32Array(workerData.state);
let beat = -1;
let stopped = Infinity;
let since = Date.now();
setInterval(() => {
	const [current, mutant] = [Atomics.load(state, 0), Atomics.load(state, 1)];
	if (current !== beat || mutant < 0) [beat, since] = [current, Date.now()];
	if (mutant === -2) stopped = Math.min(stopped, Date.now());
	if (Date.now() - stopped > workerData.blockedMs) process.kill(process.pid, 'SIGKILL');
	if (Date.now() - since < workerData.blockedMs) return;
	const entry = { mutant: String(mutant), verdict: 'Timeout', file: workerData.file, isBlocked: true };
	appendFileSync(workerData.log, JSON.stringify(entry) + '\\n');
	process.kill(process.pid, 'SIGKILL');
}, 1000);
`;

/** Watches one test file while its mutants run. */
export interface Watchdog {
	/** @param mutant the mutant that runs from now on */
	watch(mutant: string): void;
	stop(): void;
}

/**
 * Starts the thread that ends this process if a mutant blocks it.
 *
 * @param log file of the verdicts, to which one is added
 * @param file test file
 * @param timers timers saved before a test replaced them
 */
export function startWatchdog(
	log: string,
	file: string,
	timers: { setInterval: typeof setInterval; clearInterval: typeof clearInterval }
): Watchdog {
	const state = new Int32Array(new SharedArrayBuffer(8));
	Atomics.store(state, 1, -1);
	const thread = new Worker(WATCH, {
		eval: true,
		workerData: { state: state.buffer, log, file, blockedMs: BLOCKED_MS }
	});
	thread.unref();
	const beat = timers.setInterval(() => Atomics.add(state, 0, 1), 500);
	return {
		watch: (mutant) => {
			Atomics.add(state, 0, 1);
			Atomics.store(state, 1, Number(mutant));
		},
		stop: () => {
			timers.clearInterval(beat);
			Atomics.store(state, 1, -2);
		}
	};
}
