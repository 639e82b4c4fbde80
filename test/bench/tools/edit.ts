import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalExecutionEnvironment } from '../../../src/environment/local/environment.ts';
import { createHarness, type ToolHarness } from '../../contract/tools/harness.ts';
import { median, row, type Row } from '../row.ts';

const RUNS = 5;
const LIMIT_MS = 1_000;
const BYTES = 10 * 1024 * 1024;
const LINE = 'the quick brown fox \u2014 jumps over the lazy dog\n';

/** Old and new text, by what makes them hard to find. */
const EDITS = [
	{ name: 'one line', old: 'needle here', now: 'found' },
	{ name: 'one line, matched loosely', old: 'needle - here', now: 'found', needle: 'needle \u2014 here' },
	{
		name: '20,000 lines that nearly match everywhere',
		old: `${LINE.repeat(20_000)}needle here`,
		now: `${LINE.repeat(20_000)}found`
	}
];

/** Measures the edit tool on a file of 10 MB on this machine, including the diff, reading and writing. */
export async function editRows(): Promise<Row[]> {
	const directory = await mkdtemp(join(tmpdir(), 'sandglass-bench-edit-'));
	const environment = new LocalExecutionEnvironment({ workingDirectory: directory });
	await environment.initialize();
	try {
		const harness = createHarness(environment);
		const half = LINE.repeat(Math.ceil(BYTES / 2 / new TextEncoder().encode(LINE).length));
		const rows: Row[] = [];
		for (const { name, old, now, needle = 'needle here' } of EDITS) {
			const times: number[] = [];
			for (let run = -1; run < RUNS; run++) {
				await environment.writeFile('big.txt', `${half}${needle}\n${half}`);
				const time = await timed(harness, old, now);
				if (run >= 0) times.push(time);
			}
			const against = { name: 'limit', value: LIMIT_MS };
			rows.push(row({ name: `edit in a file of 10 MB: ${name}`, unit: 'ms', ours: median(times), against, bound: 1 }));
		}
		return rows;
	} finally {
		await environment.cleanup();
		await rm(directory, { recursive: true });
	}
}

async function timed({ call }: ToolHarness, oldText: string, newText: string): Promise<number> {
	const start = performance.now();
	const { isError, content } = await call('edit', { path: 'big.txt', edits: [{ oldText, newText }] });
	const time = performance.now() - start;
	if (isError) throw new Error(content);
	return time;
}
