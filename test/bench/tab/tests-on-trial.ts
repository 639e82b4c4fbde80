import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { missing, percentile, row, type Row } from '../row.ts';
import { inTime, type TabWorld } from './world.ts';

const RUNS = 12;
/** Time of a trial allowed in addition to the real run, as a share of it. */
const LIMIT_PERCENT = 10;

/** Measures a trial of the tests of the demo's project, alternating with real runs. */
export async function testsOnTrialRows(world: TabWorld, root: string): Promise<Row[]> {
	const name = 'npm test of the demo on trial, above the same for real, p50';
	try {
		const page = await world.open();
		const files = await textsBelow(path.join(root, 'public/sample'));
		await inTime(page.evaluate((files) => window.sandglass!.importRepository({ files }), files));
		const times = await inTime(
			page.evaluate(async (runs) => {
				const environment = window.sandglass!.environment!;
				const times = { exec: [] as number[], trial: [] as number[] };
				const endings = new Set<string>();
				// The first two load code that is loaded on first use.
				for (let index = -2; index < runs; index++) {
					for (const way of index % 2 === 0 ? (['exec', 'trial'] as const) : (['trial', 'exec'] as const)) {
						const start = performance.now();
						const trial = way === 'trial' ? await environment.runOnTrial!('npm test') : null;
						const { exitCode, stdout } = trial ? trial.result : await environment.exec('npm test');
						await trial?.discard();
						if (index >= 0) times[way].push(performance.now() - start);
						endings.add(`${exitCode} ${/^ℹ pass \d+/m.exec(stdout)?.[0] ?? stdout}`);
					}
				}
				if (endings.size !== 1) throw new Error(`the runs ended otherwise: ${[...endings].join('; ')}`);
				return times;
			}, RUNS)
		);
		await page.context().close();
		const [real, trial] = [percentile(times.exec, 0.5), percentile(times.trial, 0.5)];
		const note = `${RUNS} times each; for real ${Math.round(real)} ms, on trial ${Math.round(trial)} ms`;
		const against = { name: 'limit', value: LIMIT_PERCENT };
		return [row({ name, unit: '%', ours: (trial / real - 1) * 100, against, bound: 1, note })];
	} catch (error) {
		return [missing(name, '%', error)];
	}
}

async function textsBelow(directory: string): Promise<Record<string, string>> {
	const entries = await readdir(directory, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
	const texts = await Promise.all(
		files.map(async (file) => [path.relative(directory, file), await readFile(file, 'utf8')] as const)
	);
	return Object.fromEntries(texts);
}
