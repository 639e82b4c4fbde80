import type { Outcome } from './bare.ts';
import { tasks, type TaskName } from './tasks.ts';

/** Output of a child, as one line of JSON. */
export interface LoopReport {
	/** User and system time of the whole process during the task. */
	cpuMs: number;
	wallMs: number;
	delaysUs?: number[];
}

/**
 * Warms up on a short task, runs the task, prints the report.
 * @throws Error if less arrived than was sent: such a time would mean nothing
 */
export async function report(url: string, task: TaskName, run: (url: string) => Promise<Outcome>): Promise<void> {
	await run(`${url}/warm`);
	const cpu = process.cpuUsage();
	const start = performance.now();
	const { textCharacters, argumentCharacters, delaysUs } = await run(`${url}/${task}`);
	const wallMs = performance.now() - start;
	const { user, system } = process.cpuUsage(cpu);
	const expected = tasks[task];
	if (textCharacters !== expected.textCharacters || argumentCharacters !== expected.argumentCharacters)
		throw new Error(`${textCharacters} and ${argumentCharacters} characters arrived, not what was sent.`);
	const found: LoopReport = { cpuMs: (user + system) / 1_000, wallMs, ...(delaysUs ? { delaysUs } : {}) };
	console.log(JSON.stringify(found));
}
