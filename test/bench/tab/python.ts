import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright';
import { findProgram, peerName, plainEnvironment } from '../native-program.ts';
import { median, missing, row, type Row } from '../row.ts';
import { inTime } from './world.ts';

const COMMAND = 'python3 -c 0';
const LIMIT_MS = 1_500;
const STARTS = 15;
/** Pause between two starts, as in an agent's work: meanwhile the next interpreter takes over the memory. */
const PAUSE_MS = 1_500;

/**
 * Measures the first start of Python in a tab, with everything it loads, and later ones, compared with the machine's
 * own Python.
 */
export async function pythonRows(page: Page): Promise<Row[]> {
	const own = await nativeStart();
	const peer = own === null ? 'no python3 on this machine' : `${own.name}: ${own.ms.toFixed(0)} ms`;
	const first = `first start of ${COMMAND} in a tab`;
	const warm = `warm start of ${COMMAND}, p50`;
	try {
		const cold = await inTime(execTime(page));
		const times: number[] = [];
		for (let index = 0; index < STARTS; index++) {
			await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
			times.push(await inTime(execTime(page)));
		}
		return [
			row({ name: first, unit: 'ms', ours: cold, note: `once; ${peer}` }),
			row({
				name: warm,
				unit: 'ms',
				ours: median(times),
				against: { name: 'limit', value: LIMIT_MS },
				bound: 1,
				note: `${STARTS} times; ${peer}`
			})
		];
	} catch (error) {
		return [missing(first, 'ms', error), missing(warm, 'ms', error)];
	}
}

function execTime(page: Page): Promise<number> {
	return page.evaluate(async (command) => {
		const start = performance.now();
		const { exitCode, stderr } = await window.sandglass!.environment!.exec(command);
		const time = performance.now() - start;
		if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}: ${stderr}`);
		return time;
	}, COMMAND);
}

/** Median start time in ms, without the user's packages; null if Python is missing. */
async function nativeStart(): Promise<{ name: string; ms: number } | null> {
	const python = findProgram('python3');
	// The benchmarks do not require Python; the row says that it is missing.
	if (!python) return null;
	const times: number[] = [];
	for (let index = -1; index < STARTS; index++) {
		const start = performance.now();
		await promisify(execFile)(python.path, ['-c', '0'], { env: plainEnvironment() });
		if (index >= 0) times.push(performance.now() - start);
	}
	return { name: peerName('python3', python), ms: median(times) };
}
