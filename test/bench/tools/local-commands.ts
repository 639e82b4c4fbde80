import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalExecutionEnvironment } from '../../../src/environment/local/environment.ts';
import { median, row, type Row } from '../row.ts';

const RUNS = 60;
const FILES = 500;
const IGNORED_FILES = 100_000;
const FILES_PER_DIRECTORY = 100;
/** Time that a command may take in addition to the bare process, in ms. */
const LIMIT_MS = 5;

/**
 * Measures `true` on this machine in a project with 500 files and 100,000 ignored ones, compared with a bare process of
 * the same shell, alternately.
 */
export async function localCommandRows(): Promise<Row[]> {
	const directory = mkdtempSync(join(tmpdir(), 'sandglass-bench-local-'));
	try {
		fill(join(directory, 'src'), FILES);
		fill(join(directory, 'node_modules'), IGNORED_FILES);
		const environment = new LocalExecutionEnvironment({ workingDirectory: directory });
		const openMs = await timed(async () => {
			await environment.initialize();
			await environment.snapshot();
		});
		const [ours, bare]: [number[], number[]] = [[], []];
		for (let run = -5; run < RUNS; run++) {
			const own = await timed(() => environment.exec('true'));
			const other = await timed(() => bareProcess(directory));
			if (run < 0) continue;
			ours.push(own);
			bare.push(other);
		}
		await environment.cleanup();
		const added = Math.max(0, median(ours) - median(bare));
		const where = `project with ${FILES} files and ${IGNORED_FILES.toLocaleString('en')} ignored`;
		return [
			row({
				name: `local command, beyond a bare process (${where})`,
				unit: 'ms',
				ours: added,
				against: { name: 'limit', value: LIMIT_MS },
				bound: 1,
				note: `true ${median(ours).toFixed(1)} ms, bare bash ${median(bare).toFixed(1)} ms, p50 of ${RUNS}`
			}),
			row({ name: `opening a local folder and its first snapshot (${where})`, unit: 'ms', ours: openMs })
		];
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
}

function fill(root: string, count: number): void {
	for (let index = 0; index < count; index++) {
		const directory = join(root, String(Math.floor(index / FILES_PER_DIRECTORY)));
		if (index % FILES_PER_DIRECTORY === 0) mkdirSync(directory, { recursive: true });
		writeFileSync(join(directory, `${index}.js`), `export default ${index};\n`);
	}
}

async function bareProcess(cwd: string): Promise<void> {
	const child = spawn('/bin/bash', ['-c', 'true'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
	await once(child, 'close');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}
