import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { plainEnvironment } from '../native-program.ts';
import { median } from '../row.ts';
import type { TaskName } from './tasks.ts';

const reportSchema = z.object({
	cpuMs: z.number(),
	wallMs: z.number(),
	delaysUs: z.array(z.number()).optional()
});

type LoopReport = z.infer<typeof reportSchema>;

/** Several runs of one subject. */
export interface LoopMeasure {
	/** Minimum of the runs: other work on the machine can only add to it. */
	cpuMs: number;
	/** Median of the runs. */
	wallMs: number;
	delaysUs: number[];
}

export interface Subject {
	/** Script of a child process, which is given `<url> <wire> <subject> <task>`. */
	script: string;
	name: string;
	runs: number;
}

/** The scripted model and the children that talk to it. */
export interface LoopBench {
	/**
	 * Measures all subjects in turn, so that load on the machine affects all of them equally.
	 * @returns for each subject the measurement, or why it failed
	 */
	measure(wire: string, task: TaskName, subjects: Subject[]): Promise<(LoopMeasure | Error)[]>;
	close(): void;
}

/** @param built directory with the bundles of `loop-child.ts` and `model-server.ts` */
export async function startLoopBench(built: string): Promise<LoopBench> {
	const server = fork(`${built}/model-server.js`, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
	const [port] = await once(server, 'message');
	let serial = 0;
	return {
		async measure(wire, task, subjects) {
			const reports = subjects.map((): LoopReport[] => []);
			const failures: (Error | undefined)[] = [];
			const most = Math.max(...subjects.map(({ runs }) => runs));
			for (let run = 0; run < most; run++)
				for (const [index, { script, name, runs }] of subjects.entries()) {
					if (run >= runs || failures[index]) continue;
					const url = `http://127.0.0.1:${String(port)}/${++serial}`;
					try {
						reports[index]?.push(await oneRun(script, [url, wire, name, task]));
					} catch (error) {
						failures[index] = error instanceof Error ? error : new Error(String(error));
					}
				}
			return reports.map((of, index) => failures[index] ?? summary(of));
		},
		close: () => server.disconnect()
	};
}

function summary(reports: LoopReport[]): LoopMeasure {
	return {
		cpuMs: Math.min(...reports.map(({ cpuMs }) => cpuMs)),
		wallMs: median(reports.map(({ wallMs }) => wallMs)),
		delaysUs: reports.flatMap(({ delaysUs }) => delaysUs ?? [])
	};
}

async function oneRun(script: string, args: string[]): Promise<LoopReport> {
	const child = spawn(process.execPath, [script, ...args], {
		env: plainEnvironment(),
		stdio: ['ignore', 'pipe', 'pipe']
	});
	const [output, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
	if (code !== 0)
		throw new Error(
			complaint
				.trim()
				.split('\n')
				.find((line) => /Error/.test(line)) ?? `exit code ${code}`
		);
	return reportSchema.parse(JSON.parse(output));
}
