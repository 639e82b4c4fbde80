import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { FIGURES_VARIABLE } from '../../trials/figures-file.ts';
import { row, type Row } from '../row.ts';
import type { Product } from './world.ts';

const run = promisify(execFile);
const LIMIT_MS = 3_600_000;
/** The first message of a task should not cost more than this before it is read. */
const MOST_OVERHEAD_TOKENS = 5_000;

const figuresSchema = z.object({ name: z.string(), turns: z.number(), overheadTokens: z.number() });
type Figures = z.infer<typeof figuresSchema>;

/** Turns of each trial of the agent, and the tokens that stand before its first message. */
export async function trialRows({ root, browser }: Product): Promise<Row[]> {
	const scratch = await mkdtemp(path.join(tmpdir(), 'bench-trials-'));
	try {
		const file = path.join(scratch, 'figures.jsonl');
		const args = ['run', '--project', 'soak-browser', 'test/soak/trials.browser.soak.ts', '-t', 'allowed always'];
		const env = { ...process.env, ...browser.env, CHROME_PATH: browser.executablePath, [FIGURES_VARIABLE]: file };
		await run(process.execPath, [path.join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
			cwd: root,
			env,
			timeout: LIMIT_MS,
			maxBuffer: Number.POSITIVE_INFINITY
		});
		const lines = (await readFile(file, 'utf8')).trim().split('\n');
		return rowsOf(lines.map((line) => figuresSchema.parse(JSON.parse(line))));
	} finally {
		await rm(scratch, { recursive: true, force: true });
	}
}

/** @returns a row for the overhead of the trial with the largest, and one for the turns of each */
export function rowsOf(figures: readonly Figures[]): Row[] {
	const ours = Math.max(...figures.map(({ overheadTokens }) => overheadTokens));
	const limit = { name: 'limit', value: MOST_OVERHEAD_TOKENS };
	return [
		row({ name: 'system prompt and tools of a trial, Claude', unit: 'tokens', ours, against: limit, bound: 1 }),
		...figures.map(({ name, turns }) => row({ name: `trial ${name}`, unit: 'turns', ours: turns }))
	];
}
