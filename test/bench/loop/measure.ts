import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { median } from '../row.ts';
import type { TaskName } from './tasks.ts';

const reportSchema = z.object({
	cpuMs: z.number(),
	wallMs: z.number(),
	delaysUs: z.array(z.number()).optional()
});

/** Medians of several runs. */
export interface LoopMeasure {
	cpuMs: number;
	wallMs: number;
	delaysUs: number[];
}

/** The scripted model and the children that talk to it. */
export interface LoopBench {
	/** @param script what a child runs, given `<url> <wire> <subject> <task>` */
	measure(script: string, wire: string, subject: string, task: TaskName, runs: number): Promise<LoopMeasure>;
	close(): void;
}

/** @param built where the bundles of `loop-child.ts` and `model-server.ts` are */
export async function startLoopBench(built: string): Promise<LoopBench> {
	const server = fork(`${built}/model-server.js`, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
	const [port] = await once(server, 'message');
	let serial = 0;
	return {
		async measure(script, wire, subject, task, runs) {
			const reports = [];
			for (let run = 0; run < runs; run++)
				reports.push(await oneRun(script, [`http://127.0.0.1:${String(port)}/${++serial}`, wire, subject, task]));
			return {
				cpuMs: median(reports.map(({ cpuMs }) => cpuMs)),
				wallMs: median(reports.map(({ wallMs }) => wallMs)),
				delaysUs: reports.flatMap(({ delaysUs }) => delaysUs ?? [])
			};
		},
		close: () => server.disconnect()
	};
}

async function oneRun(script: string, args: string[]): Promise<z.infer<typeof reportSchema>> {
	const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
