import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { serveRepositories, type Repositories } from '../../e2e/repositories.ts';
import { median, missing, row, type Row } from '../row.ts';
import { generatedRepository } from './generated-repository.ts';
import { sharedRows } from './shared.ts';
import { inTime, openTabWorld, type Product, type TabWorld } from './world.ts';

const SEED = 20_261_121;
const RUNS = 3;

/**
 * Import and search of one generated repository of 5,000 files, in the tab and by the native programs.
 * @param scratch a directory for the native clones
 */
export async function repositoryRows(product: Product, scratch: string): Promise<Row[]> {
	const tree = generatedRepository(SEED);
	// Two servers of the same files: one host that offers archives, one that is cloned.
	const archived = await serveRepositories({ big: tree });
	const cloned = await serveRepositories({ big: tree });
	const world = await openTabWorld(product, {
		SANDGLASS_ALLOW_HOSTS: `${archived.host},${cloned.host}`,
		// A share names no other host than those anybody can reach.
		SANDGLASS_ARCHIVE_HOSTS: `${archived.host}=${archived.url}/{path}/archive/{ref}.tar.gz,github.com=${archived.url}/big/archive/{ref}.tar.gz`
	}).catch(async (error: unknown) => {
		await Promise.all([archived.close(), cloned.close()]);
		throw error;
	});
	try {
		const native = await nativeClones(`${cloned.url}/big`, scratch);
		return [
			await importRow(world, archived, 'archive', native, tree),
			await importRow(world, cloned, 'clone', native, tree),
			...(await searchRows(world, archived, scratch)),
			await statusRow(world, archived, scratch),
			...(await sharedRows(world, archived, tree))
		];
	} finally {
		await world.close();
		await Promise.all([archived.close(), cloned.close()]);
		await rm(scratch, { recursive: true, force: true });
	}
}

/** Milliseconds of `git clone --depth 1`; the last clone stays in `scratch`. */
async function nativeClones(url: string, scratch: string): Promise<number> {
	const times: number[] = [];
	for (let run = 0; run < RUNS; run++) {
		await rm(scratch, { recursive: true, force: true });
		times.push(await timeOf('git', ['clone', '--quiet', '--depth', '1', url, scratch], '/'));
	}
	return median(times);
}

async function importRow(
	world: TabWorld,
	{ url }: Repositories,
	door: 'archive' | 'clone',
	native: number,
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
		const against = { name: 'git clone --depth 1', value: native };
		return row({
			name,
			unit: 'ms',
			ours: median(times),
			against,
			bound: 1.5,
			note: 'to the project shown on the page'
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

/** A fast import of the wrong files is none. */
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

/** `git status` of an unchanged tree, as agents ask for it again and again. */
async function statusRow(world: TabWorld, { url }: Repositories, scratch: string): Promise<Row> {
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
		for (let run = 0; run < RUNS; run++) native.push(await timeOf('git', ['status', '--porcelain'], scratch));
		return row({ name, unit: 'ms', ours: median(times), against: { name: 'git', value: median(native) } });
	} catch (error) {
		return missing(name, 'ms', error);
	}
}

const SEARCHES = [
	{ name: 'a word', pattern: 'needle' },
	{ name: 'a regular expression', pattern: 'needle \\d+: [a-m]\\w+$' }
];

async function searchRows(world: TabWorld, { url }: Repositories, scratch: string): Promise<Row[]> {
	const rows: Row[] = [];
	const page = await world.open();
	let broken: unknown = null;
	await inTime(importTime(page, `${url}/big`)).catch((error: unknown) => (broken = error));
	for (const { name, pattern } of SEARCHES) {
		const title = `search for ${name} in 5,000 files`;
		try {
			if (broken) throw broken;
			const { times, lines } = await inTime(searchTimes(page, pattern));
			const native = await nativeSearch(pattern, scratch, lines);
			const value = native.ms;
			const note = native.problem ?? `${lines} lines found`;
			rows.push(row({ name: title, unit: 'ms', ours: median(times), against: { name: 'rg', value }, bound: 3, note }));
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

/** The same search by the native program; both must find the same number of lines. */
async function nativeSearch(
	pattern: string,
	directory: string,
	lines: number
): Promise<{ ms: number | null; problem?: string }> {
	try {
		const output = execFileSync('rg', ['-n', pattern, '.'], { cwd: directory, encoding: 'utf8' });
		const found = output.split('\n').filter(Boolean).length;
		if (found !== lines) throw new Error(`rg found ${found} lines and we found ${lines}`);
		const times: number[] = [];
		for (let run = 0; run < 7; run++) times.push(await timeOf('rg', ['-n', pattern, '.'], directory));
		return { ms: median(times) };
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
			return { ms: null, problem: 'no native rg on this machine' };
		throw error;
	}
}

async function timeOf(command: string, args: string[], cwd: string): Promise<number> {
	const start = performance.now();
	const child = spawn(command, args, { cwd: path.resolve(cwd), stdio: ['ignore', 'pipe', 'inherit'] });
	child.stdout.resume();
	const [code] = await once(child, 'close');
	if (code !== 0) throw new Error(`${command} ended with ${String(code)}`);
	return performance.now() - start;
}
