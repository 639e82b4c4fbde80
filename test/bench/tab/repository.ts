import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright';
import { serveRepositories, type Repositories } from '../../e2e/repositories.ts';
import { findProgram, peerName, plainEnvironment, requireProgram, type NativeProgram } from '../native-program.ts';
import { median, missing, row, type Row } from '../row.ts';
import { generatedRepository } from './generated-repository.ts';
import { sharedRows } from './shared.ts';
import { inTime, openTabWorld, type Product, type TabWorld } from './world.ts';

const SEED = 20_261_121;
const RUNS = 3;

/** One generated repository of 5,000 files, served to the tab and to the native programs. */
interface Scene {
	world: TabWorld;
	/** Two servers of the same files: one host offers archives, the other is cloned. */
	archived: Repositories;
	cloned: Repositories;
	tree: Record<string, string>;
	git: NativeProgram;
	/** Milliseconds of a native clone; the last clone is in the scratch directory. */
	cloneMs: number;
}

/** @param scratch a directory for the native clones */
export function repositoryRows(product: Product, scratch: string): Promise<Row[]> {
	return inScene(product, scratch, RUNS, async ({ world, archived, cloned, tree, git, cloneMs }) => {
		const native = { name: peerName('git clone --depth 1,', git), value: cloneMs };
		return [
			await importRow(world, archived, 'archive', native, tree),
			await importRow(world, cloned, 'clone', native, tree),
			...(await sharedRows(world, archived, tree))
		];
	});
}

/** Measures search and `git status` in that repository. @param scratch a directory for the native clone */
export function searchRows(product: Product, scratch: string): Promise<Row[]> {
	return inScene(product, scratch, 1, async ({ world, archived, git }) => [
		...(await grepRows(world, archived, scratch)),
		await statusRow(world, archived, git, scratch)
	]);
}

async function inScene(
	product: Product,
	scratch: string,
	clones: number,
	measure: (scene: Scene) => Promise<Row[]>
): Promise<Row[]> {
	const git = requireProgram('git');
	const tree = generatedRepository(SEED);
	const archived = await serveRepositories({ big: tree });
	const cloned = await serveRepositories({ big: tree });
	const world = await openTabWorld(product, {
		SANDGLASS_ALLOW_HOSTS: `${archived.host},${cloned.host}`,
		// A share only names public hosts.
		SANDGLASS_ARCHIVE_HOSTS: `${archived.host}=${archived.url}/{path}/archive/{ref}.tar.gz,github.com=${archived.url}/big/archive/{ref}.tar.gz`
	}).catch(async (error: unknown) => {
		await Promise.all([archived.close(), cloned.close()]);
		throw error;
	});
	try {
		const cloneMs = await nativeClones(git, `${cloned.url}/big`, scratch, clones);
		return await measure({ world, archived, cloned, tree, git, cloneMs });
	} finally {
		await world.close();
		await Promise.all([archived.close(), cloned.close()]);
		await rm(scratch, { recursive: true, force: true });
	}
}

/** Milliseconds of `git clone --depth 1`; the last clone stays in `scratch`. */
async function nativeClones(git: NativeProgram, url: string, scratch: string, runs: number): Promise<number> {
	const times: number[] = [];
	for (let run = 0; run < runs; run++) {
		await rm(scratch, { recursive: true, force: true });
		const { ms } = await timeOf(git.path, ['clone', '--quiet', '--depth', '1', url, scratch], '/');
		times.push(ms);
	}
	return median(times);
}

async function importRow(
	world: TabWorld,
	{ url }: Repositories,
	door: 'archive' | 'clone',
	native: { name: string; value: number },
	tree: Record<string, string>
): Promise<Row> {
	const name = `import of 5,000 files by ${door}`;
	try {
		const times: number[] = [];
		for (let run = 0; run < RUNS; run++) {
			const page = await world.open();
			times.push(await inTime(importTime(page, `${url}/big`)));
			await checkImported(page, tree);
			await page.context().close();
		}
		return row({
			name,
			unit: 'ms',
			ours: median(times),
			against: native,
			bound: 1.5,
			note: 'to the project shown on the page; git writes the files to a disk'
		});
	} catch (error) {
		return missing(name, 'ms', error);
	}
}

function importTime(page: Page, url: string): Promise<number> {
	return page.evaluate(async (url) => {
		const start = performance.now();
		await window.sandglass!.importRepository({ url });
		return performance.now() - start;
	}, url);
}

/** A fast import of the wrong files does not count. */
async function checkImported(page: Page, tree: Record<string, string>): Promise<void> {
	const sample = Object.keys(tree).at(-1) ?? '';
	const found = await page.evaluate(async (sample) => {
		const environment = window.sandglass!.environment!;
		const { exitCode, stdout, stderr } = await environment.exec('git status --porcelain');
		return { text: await environment.readFile(sample), status: exitCode === 0 ? stdout : stderr };
	}, sample);
	if (found.text !== tree[sample]) throw new Error(`${sample} is not what the repository has`);
	if (found.status !== '') throw new Error(`git status: ${found.status}`);
}

/** Measures `git status` of an unchanged tree, which agents run again and again. */
async function statusRow(world: TabWorld, { url }: Repositories, git: NativeProgram, scratch: string): Promise<Row> {
	const name = 'git status of 5,000 files';
	try {
		const page = await world.open();
		await inTime(importTime(page, `${url}/big`));
		const times = await inTime(
			page.evaluate(async (runs) => {
				const environment = window.sandglass!.environment!;
				const times: number[] = [];
				for (let run = -1; run < runs; run++) {
					const start = performance.now();
					const { exitCode, stdout, stderr } = await environment.exec('git status --porcelain');
					if (exitCode !== 0 || stdout !== '') throw new Error(`git status: ${stdout}${stderr}`);
					if (run >= 0) times.push(performance.now() - start);
				}
				return times;
			}, RUNS)
		);
		const native: number[] = [];
		for (let run = -1; run < RUNS; run++) {
			const { ms } = await timeOf(git.path, ['status', '--porcelain'], scratch);
			if (run >= 0) native.push(ms);
		}
		const against = { name: peerName('git', git), value: median(native) };
		return row({ name, unit: 'ms', ours: median(times), against });
	} catch (error) {
		return missing(name, 'ms', error);
	}
}

const SEARCHES = [
	{ name: 'a word', pattern: 'needle' },
	{ name: 'a regular expression', pattern: 'needle \\d+: [a-m]\\w+$' }
];

async function grepRows(world: TabWorld, { url }: Repositories, scratch: string): Promise<Row[]> {
	const rows: Row[] = [];
	const page = await world.open();
	let broken: unknown = null;
	await inTime(importTime(page, `${url}/big`)).catch((error: unknown) => (broken = error));
	for (const { name, pattern } of SEARCHES) {
		const title = `search for ${name} in 5,000 files`;
		try {
			if (broken) throw broken;
			const { times, lines } = await inTime(searchTimes(page, pattern));
			const rg = findProgram('rg');
			const against = rg
				? { name: peerName('ripgrep', rg), value: await nativeSearch(rg, pattern, scratch, lines) }
				: undefined;
			const note = `${lines} lines found; ours in a worker that has searched before${rg ? '' : '; no native rg on this machine'}`;
			rows.push(row({ name: title, unit: 'ms', ours: median(times), ...(against ? { against } : {}), bound: 3, note }));
		} catch (error) {
			rows.push(missing(title, 'ms', error));
		}
	}
	return rows;
}

function searchTimes(page: Page, pattern: string): Promise<{ times: number[]; lines: number }> {
	return page.evaluate(async (pattern) => {
		const environment = window.sandglass!.environment!;
		const times: number[] = [];
		let lines = 0;
		for (let run = -1; run < 7; run++) {
			const start = performance.now();
			const text = await environment.grep(pattern, '.');
			if (run >= 0) times.push(performance.now() - start);
			lines = text.split('\n').filter(Boolean).length;
		}
		return { times, lines };
	}, pattern);
}

/**
 * Milliseconds of the same search by the native program, with files in the system's cache; both must find the same
 * number of lines.
 */
async function nativeSearch(rg: NativeProgram, pattern: string, directory: string, lines: number): Promise<number> {
	const times: number[] = [];
	for (let run = -1; run < 7; run++) {
		const { ms, output } = await timeOf(rg.path, ['--no-config', '-n', pattern, '.'], directory);
		const found = output.split('\n').filter(Boolean).length;
		if (found !== lines) throw new Error(`${rg.path} found ${found} lines and we found ${lines}`);
		if (run >= 0) times.push(ms);
	}
	return median(times);
}

async function timeOf(command: string, args: string[], cwd: string): Promise<{ ms: number; output: string }> {
	const start = performance.now();
	const options = { cwd: path.resolve(cwd), env: plainEnvironment() };
	const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
	const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
	if (code !== 0) throw new Error(`${command} ended with ${String(code)}`);
	return { ms: performance.now() - start, output };
}
