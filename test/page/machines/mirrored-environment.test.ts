import { afterEach, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { MAX_IGNORED_ENTRIES } from '#environment/tree/left-behind.ts';
import { LeftAlone } from '#page/machines/left-alone.ts';
import { MirroredEnvironment } from '#page/machines/mirrored-environment.ts';
import { planPush, pushFiles } from '#page/machines/push-files.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { createMachine, overPair, type Machine } from '#test/environment/remote/temporary.ts';
import type { Checkpoint } from '#workspace/contract.ts';
import { Workspace } from '#workspace/workspace.ts';

const machines: Machine[] = [];
const open: ExecutionEnvironment[] = [];
afterEach(async () => {
	for (const environment of open.splice(0)) await environment.cleanup();
	for (const machine of machines.splice(0)) await machine.dispose();
	await removeTemporary();
});

/** A computer at home and a machine, with the home's files on both; neither follows the other's changes. */
async function apart(fill: string) {
	const machine = await createMachine();
	machines.push(machine);
	const home = await createTemporary();
	await home.exec(fill);
	const there = await overPair(machine);
	const leftAlone = new LeftAlone(home, there);
	await pushFiles({ home, there, leftAlone });
	return { machine, home, there, leftAlone };
}

/** Same, with the home following the machine. */
async function away(fill: string) {
	const { machine, home, there, leftAlone } = await apart(fill);
	const failures: unknown[] = [];
	const mirrored = new MirroredEnvironment({
		...{ home, there, leftAlone },
		flush: async () => {},
		onFailure: (error) => failures.push(error)
	});
	open.push(mirrored);
	return { machine, home, there, mirrored, failures };
}

/** Checkpoints in memory, whose contents only need to be known on the home side. */
function storeOver(home: ExecutionEnvironment) {
	const all: Checkpoint[] = [];
	const trees = new Map<string, Map<string, { mode: number; blob: string }>>();
	return {
		checkpoints: () => all,
		addCheckpoint: async (checkpoint: Checkpoint, tree: Map<string, { mode: number; blob: string }>) => {
			all.push(checkpoint);
			trees.set(checkpoint.tree, tree);
		},
		readTree: async (id: string) => trees.get(id) ?? new Map(),
		readBlob: (blob: string) => home.readBlob(blob)
	};
}

const GIT = 'git -c user.name=A -c user.email=a@b.c -c commit.gpgsign=false';

describe('a session on a machine', () => {
	it('has at home what commands and file tools change over there, .git included', async () => {
		const { home, there, mirrored } = await away(`git init -q; echo 1 > a; ${GIT} add -A; ${GIT} commit -qm one`);
		expect(mirrored.workingDirectory()).not.toBe(home.workingDirectory());
		await mirrored.exec(`echo 2 > a; mkdir -p x/y; echo 3 > x/y/z; ln -s a link; chmod +x a; ${GIT} commit -qam two`);
		expect((await home.exec('cat a x/y/z; readlink link; git log --format=%s; test -x a && echo runs')).stdout).toBe(
			'2\n3\na\ntwo\none\nruns\n'
		);
		await mirrored.writeFile('b', 'by a tool');
		await expect.poll(() => home.readFile('b').catch(() => '')).toBe('by a tool');
		const { id } = await mirrored.snapshot();
		expect(id).toBe((await home.snapshot()).id);
		expect(id).toBe((await there.snapshot()).id);
	});

	it('has at home what a terminal over there changes', async () => {
		const { home, mirrored } = await away('echo 1 > a');
		const terminal = await mirrored.openTerminal({ columns: 80, rows: 24 });
		let shown = '';
		terminal.onData((data) => (shown += data));
		await expect.poll(() => shown).toContain('$ ');
		terminal.write('echo typed > typed.txt; echo do""ne\r');
		await expect.poll(() => shown).toContain('done');
		await expect.poll(() => home.readFile('typed.txt').catch(() => ''), { timeout: 10_000 }).toBe('typed\n');
		await terminal.close();
	});

	it('goes back to steps of both sides, on both sides', async () => {
		const { home, mirrored } = await away('echo 1 > a; mkdir d; echo d > d/d');
		const store = storeOver(home);
		const origin = { kind: 'files', name: 'test' } as const;
		const atHome = await Workspace.open({ environment: home, origin, store });
		const before = await atHome.takeCheckpoint('at home', null);
		const workspace = await Workspace.open({ environment: mirrored, origin, store, baseline: before.tree });
		await mirrored.exec('echo 2 > a; rm -r d; echo n > new');
		expect((await workspace.changes()).map(({ path }) => path)).toEqual(['a', 'd/d', 'new']);
		const there = await workspace.takeCheckpoint('over there', null);
		await workspace.goTo(before.id);
		expect((await mirrored.exec('cat a d/d; ls')).stdout).toBe('1\nd\na\nd\n');
		await mirrored.leave();
		await atHome.goTo(there.id);
		expect((await home.exec('cat a; ls')).stdout).toBe('2\na\nnew\n');
		atHome.close();
		workspace.close();
	});

	it('leaves large ignored folders where they are, on both sides', async () => {
		const many = `mkdir -p app/node_modules; for i in $(seq ${MAX_IGNORED_ENTRIES + 1}); do : > app/node_modules/$i; done`;
		const { home, there, mirrored, failures } = await away(
			`mkdir app; echo node_modules > .gitignore; echo 1 > app/a; ${many}`
		);
		expect(await there.fileExists('app/node_modules')).toBe(false);
		await mirrored.exec('mkdir app/node_modules; echo built > app/node_modules/there; rm app/a');
		await mirrored.pull();
		expect(failures).toEqual([]);
		expect(await home.fileExists('app/a')).toBe(false);
		expect((await home.exec('ls app/node_modules | wc -l')).stdout.trim()).toBe(String(MAX_IGNORED_ENTRIES + 1));
		expect((await there.exec('cat app/node_modules/there')).stdout).toBe('built\n');
	}, 60_000);

	it('has at home what a command changed once its result is there', async () => {
		const { home, mirrored } = await away('mkdir many; echo 0 > many/0');
		for (let round = 1; round <= 5; round++) {
			await mirrored.exec(`echo ${round} > many/${round}; echo ${round} > many/0`);
			expect(await home.readFile('many/0')).toBe(`${round}\n`);
			expect(await home.readFile(`many/${round}`)).toBe(`${round}\n`);
		}
	});

	it('keeps at home what was copied last when the machine is lost', async () => {
		const { home, machine, mirrored } = await away('echo 1 > a');
		await mirrored.exec('echo 2 > a');
		await machine.acceptor.close();
		await expect(mirrored.exec('echo 3 > a')).rejects.toMatchObject({ code: 'EUNAVAILABLE' });
		expect(await home.readFile('a')).toBe('2\n');
	});
});

describe('moving to a machine', () => {
	it('counts what it would replace over there', async () => {
		const { home, there } = await apart('echo 1 > a; echo 2 > b');
		await there.exec('echo other > a; echo more > c');
		expect(await planPush({ home, there, leftAlone: new LeftAlone(home, there) })).toEqual({
			added: 0,
			replaced: 1,
			removed: 1
		});
		await Promise.all([there.cleanup(), home.cleanup()]);
	});
});
