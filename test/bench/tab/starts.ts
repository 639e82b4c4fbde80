import type { Page } from 'playwright';
import { missing, percentile, row, type Row } from '../row.ts';
import { pythonRows } from './python.ts';
import { testsOnTrialRows } from './tests-on-trial.ts';
import { inTime, openTabWorld, type Product } from './world.ts';

/** Pause between two commands, so that the next one finds a waiting worker, as in an agent's work. */
const PAUSE_MS = 400;

/** Measures starting, stopping and calling processes in the tab, each against the limit we set. */
export async function startRows(product: Product): Promise<Row[]> {
	const world = await openTabWorld(product);
	try {
		const page = await world.open();
		await inTime(
			page.evaluate(() => window.sandglass!.importRepository({ files: { 'README.md': 'For the benchmark.\n' } }))
		);
		return [
			...(await timedRows('warm start of node -e 0', 20, () => execTimes(page, 'node -e 0', 30, PAUSE_MS), [0.5])),
			...(await timedRows('true through exec', 10, () => execTimes(page, 'true', 60, PAUSE_MS), [0.5, 0.99])),
			...(await timedRows('true through exec, back to back', 10, () => execTimes(page, 'true', 40, 0), [0.5])),
			...(await trialRows(page)),
			...(await testsOnTrialRows(world, product.root)),
			...(await timedRows('kill of node running while(true)', 10, () => killTimes(page, 15), [0.5])),
			...(await callRows(page)),
			...(await pythonRows(page))
		];
	} finally {
		await world.close();
	}
}

/** Measures a trial of a command before its run, alternating with a direct run. */
async function trialRows(page: Page): Promise<Row[]> {
	const name = 'true on trial, above true through exec, p50';
	try {
		const { exec, trial } = await inTime(
			page.evaluate(async (pauseMs) => {
				const environment = window.sandglass!.environment!;
				const times = { exec: [] as number[], trial: [] as number[] };
				for (let index = -5; index < 40; index++) {
					for (const way of ['exec', 'trial'] as const) {
						await new Promise((resolve) => setTimeout(resolve, pauseMs));
						const start = performance.now();
						if (way === 'exec') await environment.exec('true');
						else await (await environment.runOnTrial!('true')).discard();
						if (index >= 0) times[way].push(performance.now() - start);
					}
				}
				return times;
			}, PAUSE_MS)
		);
		const ours = percentile(trial, 0.5) - percentile(exec, 0.5);
		return [
			row({ name, unit: 'ms', ours, against: { name: 'limit', value: 3 }, bound: 1, note: `${trial.length} times` })
		];
	} catch (error) {
		return [missing(name, 'ms', error)];
	}
}

/** A row for each percentile, in ms. */
async function timedRows(
	name: string,
	limitMs: number,
	measure: () => Promise<number[]>,
	shares: number[]
): Promise<Row[]> {
	try {
		const times = await inTime(measure());
		return shares.map((share) =>
			row({
				name: `${name}, p${share * 100}`,
				unit: 'ms',
				ours: percentile(times, share),
				against: { name: 'limit', value: limitMs },
				bound: 1,
				note: `${times.length} times`
			})
		);
	} catch (error) {
		return [missing(name, 'ms', error)];
	}
}

function execTimes(page: Page, command: string, count: number, pauseMs: number): Promise<number[]> {
	return page.evaluate(
		async ({ command, count, pauseMs }) => {
			const environment = window.sandglass!.environment!;
			const times: number[] = [];
			// The first few load code that is loaded on first use.
			for (let index = -5; index < count; index++) {
				if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
				const start = performance.now();
				const { exitCode, stderr } = await environment.exec(command);
				const time = performance.now() - start;
				if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}: ${stderr}`);
				if (index >= 0) times.push(time);
			}
			return times;
		},
		{ command, count, pauseMs }
	);
}

/** From the kill to the end of the process, which runs an endless synchronous loop. */
function killTimes(page: Page, count: number): Promise<number[]> {
	return page.evaluate(async (count) => {
		const environment = window.sandglass!.environment!;
		const times: number[] = [];
		for (let index = -2; index < count; index++) {
			let started = (): void => {};
			const running = new Promise<void>((resolve) => (started = resolve));
			const child = await environment.start(`node -e "console.log('in the loop'); while (true);"`, {
				onOutput: () => started()
			});
			await Promise.race([running, child.exited]);
			const start = performance.now();
			await child.kill('SIGKILL');
			const time = performance.now() - start;
			const { exitCode, stderr } = await child.exited;
			// A process that ended by itself was not killed.
			if (exitCode !== 137) throw new Error(`the loop ended with ${exitCode}: ${stderr}`);
			if (index >= 0) times.push(time);
		}
		return times;
	}, count);
}

/** Measures a synchronous call of a program to the kernel, inside the program. */
async function callRows(page: Page): Promise<Row[]> {
	const name = 'synchronous call (fs.statSync)';
	try {
		const program = [
			"const fs = require('fs');",
			"for (let i = 0; i < 500; i++) fs.statSync('README.md');",
			'setTimeout(() => {',
			'  const times = [];',
			'  for (let run = 0; run < 20; run++) {',
			'    const start = performance.now();',
			"    for (let i = 0; i < 250; i++) fs.statSync('README.md');",
			'    times.push(((performance.now() - start) / 250) * 1000);',
			'  }',
			'  console.log(JSON.stringify(times));',
			// The worker for the next program is ready by then.
			`}, ${2 * PAUSE_MS});`
		].join('\n');
		const output = await inTime(
			page.evaluate(async (program) => {
				const environment = window.sandglass!.environment!;
				await environment.writeFile('/workspace/calls.js', program);
				const { stdout, stderr, exitCode } = await environment.exec('node calls.js');
				if (exitCode !== 0) throw new Error(stderr);
				return stdout;
			}, program)
		);
		const times: unknown = JSON.parse(output);
		if (!Array.isArray(times)) throw new Error(`the program printed ${output}`);
		const against = { name: 'limit', value: 60 };
		return [
			row({ name, unit: 'µs', ours: percentile(times.map(Number), 0.5), against, bound: 1, note: '5,000 calls' })
		];
	} catch (error) {
		return [missing(name, 'µs', error)];
	}
}
