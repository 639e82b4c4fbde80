import { afterEach, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment, LoadEntry, LoadOptions } from '#environment/contract.ts';
import { ignoredDirectories, isInOneOf } from '#environment/tree/left-behind.ts';
import { moveTree, planMove } from '#environment/tree/move.ts';
import { Mode } from '#environment/mode.ts';
import { ignoreRules } from '#environment/ignore-rules.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { codeOf } from '#test/contract/environment/checks.ts';
import { createMachine, overPair, type Machine } from './remote/temporary.ts';
import { createTemporary, removeTemporary } from './local/temporary.ts';

const machines: Machine[] = [];
const open: ExecutionEnvironment[] = [];
afterEach(async () => {
	for (const environment of open.splice(0)) await environment.cleanup();
	for (const machine of machines.splice(0)) await machine.dispose();
	await removeTemporary();
});

async function twoSides(): Promise<{ here: ExecutionEnvironment; there: ExecutionEnvironment; machine: Machine }> {
	const machine = await createMachine();
	machines.push(machine);
	const here = await createTemporary();
	const there = await overPair(machine);
	open.push(here, there);
	return { here, there, machine };
}

/** Stores different bytes in one file than those given. */
class Spoiling extends DelegatingEnvironment {
	override load(entries: AsyncIterable<LoadEntry>, options?: LoadOptions): Promise<void> {
		return super.load(spoiled(entries), options);
	}
}

async function* spoiled(entries: AsyncIterable<LoadEntry>): AsyncGenerator<LoadEntry> {
	for await (const entry of entries) yield entry.path === 'run.sh' ? { ...entry, bytes: entry.bytes.slice(1) } : entry;
}

const FILL = `mkdir -p src/deep empty; for i in 1 2 3 4 5 6 7 8 9; do echo content $i > src/deep/f$i.txt; done
printf '#!/bin/sh\\n' > run.sh; chmod 755 run.sh; ln -s src/deep/f1.txt link; ln -s nowhere dangling`;

describe('moving the files of a session', () => {
	it('makes both trees equal, and back again', async () => {
		const { here, there } = await twoSides();
		await here.exec(FILL);
		await there.exec(
			'mkdir -p old/files src; echo x > old/files/x; echo y > src/deep; mkdir link; echo z > link/z; ln -s nowhere loose'
		);
		const moved = await moveTree(here, there);
		expect((await there.snapshot()).id).toBe((await here.snapshot()).id);
		expect(moved.files).toBe(12);
		expect(await there.readLink('link')).toBe('src/deep/f1.txt');
		await there.exec('rm -r src/deep; echo built > result; echo file > empty2');
		const back = await moveTree(there, here);
		expect(await here.readFile('result')).toBe('built\n');
		expect((await here.snapshot()).id).toBe(back.tree.id);
		expect(back.files).toBe(2);
	});

	it('leaves the destination as it was when it is cancelled', async () => {
		const { here, there } = await twoSides();
		await here.exec(FILL);
		await there.exec('echo mine > mine.txt; mkdir src; echo a > src/a');
		const before = await there.snapshot();
		const controller = new AbortController();
		const options = { signal: controller.signal, onProgress: () => controller.abort() };
		expect(await codeOf(moveTree(here, there, options))).toBe('EAGAIN');
		expect((await there.snapshot()).id).toBe(before.id);
	});

	it('fails, and leaves the destination as it was, where that keeps something else than it was sent', async () => {
		const { here, there } = await twoSides();
		await here.exec(FILL);
		await there.exec('echo mine > mine.txt');
		const before = await there.snapshot();
		await expect(moveTree(here, new Spoiling(there))).rejects.toThrow('differ after the move, first at run.sh');
		expect((await there.snapshot()).id).toBe(before.id);
	});

	it('loses nothing at home when the machine dies on the way', async () => {
		const { here, there, machine } = await twoSides();
		await here.exec(FILL);
		const before = await here.snapshot();
		let ended: Promise<void> | undefined;
		const options = { onProgress: () => void (ended ??= machine.acceptor.close()) };
		expect(await codeOf(moveTree(here, there, options))).toBe('EUNAVAILABLE');
		await ended;
		expect((await here.snapshot()).id).toBe(before.id);
	});

	it('turns files into directories and back, and empty ones too', async () => {
		const { here, there } = await twoSides();
		await here.exec('echo a > one; mkdir -p two three/in; echo b > three/in/file; ln -s one four');
		await there.exec('mkdir one; echo c > two; echo d > three; mkdir -p four/deep; echo e > four/deep/e');
		expect(planMove(await here.snapshot(), await there.snapshot())).toEqual({ added: 3, replaced: 0, removed: 3 });
		await moveTree(here, there);
		expect((await there.snapshot()).id).toBe((await here.snapshot()).id);
	});

	it('leaves what it is told to leave alone as it is on both sides', async () => {
		const { here, there } = await twoSides();
		await here.exec('mkdir -p node_modules/a; echo here > node_modules/a/a; echo 1 > file');
		await there.exec('mkdir -p node_modules/b; echo there > node_modules/b/b; echo 2 > file');
		const isLeftAlone = isInOneOf(new Set(['node_modules']));
		expect(planMove(await here.snapshot(), await there.snapshot(), { isLeftAlone })).toEqual({
			added: 0,
			replaced: 1,
			removed: 0
		});
		const moved = await moveTree(here, there, { isLeftAlone });
		expect([...moved.tree.entries.keys()]).toEqual(['file']);
		expect((await there.exec('cat file node_modules/*/*')).stdout).toBe('1\nthere\n');
		expect((await here.exec('cat file node_modules/*/*')).stdout).toBe('1\nhere\n');
	});

	it('takes names such as ~ as names, and no path that climbs out', async () => {
		const { here, there } = await twoSides();
		await here.exec('mkdir -p ./~/deep "~user"; echo 1 > ./~/file');
		await there.exec('mkdir ./~; echo old > ./~/old');
		await moveTree(here, there);
		expect((await there.snapshot()).id).toBe((await here.snapshot()).id);
		const before = await here.snapshot();
		for (const path of ['../outside', '/outside', 'a/../../outside', 'a//b', './a']) {
			const tree = { id: 'hostile', entries: new Map([[path, { mode: Mode.directory, blob: '' }]]) };
			expect(await codeOf(moveTree(there, here, { tree }))).toBe('EINVAL');
		}
		expect((await here.snapshot()).id).toBe(before.id);
	});

	it('counts what is in the topmost ignored directories, other than .git', async () => {
		const paths = ['.git/HEAD', 'app/node_modules/a/b', 'app/node_modules/a/c', 'build/out', 'build/deep/out', 'src/a'];
		const tree = new Map(paths.map((path) => [path, null]));
		const isIgnored = ignoreRules(new Map([['.gitignore', 'build/\n']]));
		expect(await ignoredDirectories(tree, isIgnored)).toEqual(
			new Map([
				['app/node_modules', 3],
				['build', 3]
			])
		);
	});
});
