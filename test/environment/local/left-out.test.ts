import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment, FileChange, Snapshot } from '#environment/contract.ts';
import { MAX_IGNORED_ENTRIES } from '#environment/tree/left-behind.ts';
import { createTemporary, removeTemporary } from './temporary.ts';

afterAll(removeTemporary);

const MANY = MAX_IGNORED_ENTRIES + 1;
const paths = ({ entries }: Snapshot): string[] => [...entries.keys()].sort();

/** Writes files named `0`, `1`, … without the environment's knowledge. */
async function fill(directory: string, count: number): Promise<void> {
	await mkdir(directory, { recursive: true });
	await Promise.all(Array.from({ length: count }, (_, index) => writeFile(join(directory, String(index)), '')));
}

/** Creates an environment whose workspace was filled before it was opened. */
async function open(prepare: (root: string) => Promise<void>) {
	const environment = await createTemporary();
	const root = environment.workingDirectory();
	await prepare(root);
	const changes: FileChange[] = [];
	// Takes the current files as known, as opening a folder does.
	await environment.exec('true');
	environment.onChange((change) => changes.push(change));
	return {
		environment,
		root,
		told: () => changes.splice(0).map(({ kind, path }) => `${kind} ${path.slice(root.length + 1)}`)
	};
}

describe('a large ignored directory of the local workspace', () => {
	it('is in no snapshot and no journal entry; small ignored directories and files are', async () => {
		const { environment, root, told } = await open(async (root) => {
			await writeFile(join(root, '.gitignore'), 'build/\ndist/\n.env\n');
			await fill(join(root, 'build/deep'), MANY);
			await fill(join(root, 'dist'), 2);
			await writeFile(join(root, '.env'), 'A=1');
		});
		const before = await environment.snapshot();
		expect(paths(before)).toEqual(['.env', '.gitignore', 'dist/0', 'dist/1']);

		await environment.exec('echo x > build/deep/0; echo x > dist/0; echo A=2 > .env');
		expect(told()).toEqual(['write .env', 'write dist/0']);
		await environment.restore(before);
		expect(await readFile(join(root, '.env'), 'utf8')).toBe('A=1');
		expect(await readFile(join(root, 'build/deep/0'), 'utf8')).toBe('x\n');
		await environment.cleanup();
	});

	it('is reported as one directory when it grows, changes at its top, or is removed', async () => {
		const { environment, told } = await open(async () => {});
		const install = `mkdir -p node_modules/a && cd node_modules/a && seq ${MANY} | xargs touch`;
		await environment.exec(install);
		expect(told()).toEqual(['mkdir node_modules']);
		await environment.exec('mkdir node_modules/b');
		expect(told()).toEqual(['mkdir node_modules']);
		await environment.exec('echo x > node_modules/a/1');
		expect(told()).toEqual([]);
		await environment.exec('rm -r node_modules');
		expect(told()).toEqual(['remove node_modules']);
		await environment.cleanup();
	});

	it('grows out of a small one without its files being reported as removed', async () => {
		const { environment, told } = await open((root) => fill(join(root, 'node_modules'), 3));
		const small = await environment.snapshot();
		expect(paths(small)).toEqual(['node_modules/0', 'node_modules/1', 'node_modules/2']);
		await environment.exec(`cd node_modules && seq ${MANY} | xargs touch; echo new > 0`);
		expect(told()).toEqual(['mkdir node_modules']);
		// Restoring the small one leaves the large one unchanged.
		await environment.restore(small);
		expect(await environment.readFile('node_modules/0')).toBe('new\n');
		expect((await environment.listDirectory('node_modules', 1)).length).toBeGreaterThan(MAX_IGNORED_ENTRIES);
		await environment.cleanup();
	});

	it('is not removed by going back to a file in its place, or in the place of a directory above it', async () => {
		for (const name of ['packages', 'packages/node_modules']) {
			const { environment, root } = await open(async (root) => {
				await mkdir(join(root, name, '..'), { recursive: true });
				await writeFile(join(root, name), 'a file');
			});
			const before = await environment.snapshot();
			await rm(join(root, name));
			await fill(join(root, 'packages/node_modules/a'), MANY);
			await environment.restore(before);
			expect((await stat(join(root, 'packages/node_modules/a/0'))).isFile(), name).toBe(true);
			await environment.cleanup();
		}
	});

	it('is part of the workspace once no rule ignores it any more', async () => {
		const { environment, root } = await open(async (root) => {
			await writeFile(join(root, '.gitignore'), 'data\n');
			await fill(join(root, 'data'), MANY);
		});
		expect((await environment.snapshot()).entries.size).toBe(1);
		await writeFile(join(root, '.gitignore'), '');
		expect((await environment.snapshot()).entries.size).toBe(MANY + 1);
		await environment.cleanup();
	});

	it('is copied for a subagent with files of its own', async () => {
		const { environment } = await open((root) => fill(join(root, 'node_modules/a'), MANY));
		const overlay = await (environment as ExecutionEnvironment).overlay();
		expect(await overlay.fileExists('node_modules/a/7')).toBe(true);
		expect(await overlay.changes()).toEqual([]);
		await overlay.cleanup();
		await environment.cleanup();
	});
});
