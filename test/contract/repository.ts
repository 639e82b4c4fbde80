import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { Mode } from '#environment/mode.ts';
import { MemoryCheckpointStore } from '#workspace/checkpoint-store.ts';
import {
	createBranch,
	deleteBranch,
	followBranch,
	isBranchName,
	readBranches,
	switchBranch
} from '#workspace/repository/branches.ts';
import { compareInCommit, readCommitFiles } from '#workspace/repository/commit-files.ts';
import { readCommits, readHeadCommit, type Commit } from '#workspace/repository/commits.ts';
import type { ChangedFile } from '#workspace/contract.ts';
import { Workspace } from '#workspace/workspace.ts';

const AUTHOR = 'GIT_AUTHOR_NAME="A, B" GIT_AUTHOR_EMAIL=a@example.com GIT_AUTHOR_DATE="1700000000 +0000"';

/** Tests that history, branches and commits of a repository are read the same with every git. */
export function describeRepository(create: () => Promise<ExecutionEnvironment>): void {
	let environment: ExecutionEnvironment;
	const run = async (command: string): Promise<void> => {
		const { exitCode, stderr } = await environment.exec(command);
		expect([command, exitCode, stderr]).toEqual([command, 0, '']);
	};
	beforeAll(async () => {
		environment = await create();
	});
	afterAll(() => environment.cleanup());
	beforeEach(() =>
		run('rm -rf ./.git ./* && git init -q -b main . && git config user.name T && git config user.email t@example.com')
	);

	/** Makes four commits: `first`, then `second` on `topic/two` and `third` on `main`, and a merge of both. */
	async function makeHistory(): Promise<void> {
		await run(`echo one >one && git add -A && ${AUTHOR} git commit -qm 'first <b>, "x"' -m 'why\n\nand more'`);
		await run('git tag v1 && git switch -qc topic/two && echo two >two && git add -A && git commit -qm second');
		await run('git switch -q main && echo 3 >three && git add -A && git commit -qm third');
		await run('git merge -q --no-edit -m merged topic/two');
	}

	/** Makes one more commit that changes, adds and removes files. */
	async function changeFiles(): Promise<void> {
		await run('printf "1\\n2\\n" >one && rm three && printf "\\0\\1" >"a b" && git add -A && git commit -qm files');
	}

	const commits = (): Promise<Commit[]> => readCommits(environment, 50);
	const subjects = async (): Promise<string[]> => (await commits()).map(({ subject }) => subject);

	describe('the history of a repository', () => {
		it('is empty before the first commit', async () => {
			expect(await commits()).toEqual([]);
			expect(await readHeadCommit(environment)).toBeNull();
			expect(await readBranches(environment)).toEqual({ current: 'main', local: [], remote: [] });
		});

		it('has authors, times, messages of any text, parents and names', async () => {
			await makeHistory();
			const [merged, ...rest] = await commits();
			const first = rest.at(-1);
			expect(merged).toMatchObject({ subject: 'merged', head: true });
			expect(merged?.refs).toEqual([{ kind: 'branch', name: 'main', current: true }]);
			expect(merged?.parents).toHaveLength(2);
			expect(first).toMatchObject({
				subject: 'first <b>, "x"',
				body: 'why\n\nand more',
				author: { name: 'A, B', email: 'a@example.com' },
				time: 1_700_000_000_000,
				parents: [],
				refs: [{ kind: 'tag', name: 'v1', current: false }],
				head: false
			});
			expect(rest.map(({ subject }) => subject).sort()).toEqual(['first <b>, "x"', 'second', 'third']);
			expect((await readCommits(environment, 2)).length).toBe(2);
		});

		it('has what only another branch, a remote one or a tag reaches, each with its name', async () => {
			await makeHistory();
			const commit = async (name: string): Promise<void> =>
				run(`git commit -q --allow-empty -m ${name} && git update-ref ${name} HEAD && git reset -q --hard HEAD~`);
			await commit('refs/remotes/origin/far');
			await commit('refs/tags/far');
			await commit('refs/heads/fix/HEAD');
			const names = (await commits()).map(({ subject, refs }) => [subject, ...refs]);
			expect(names).toEqual(
				expect.arrayContaining([
					['refs/remotes/origin/far', { kind: 'remote', name: 'origin/far', current: false }],
					['refs/tags/far', { kind: 'tag', name: 'far', current: false }],
					['refs/heads/fix/HEAD', { kind: 'branch', name: 'fix/HEAD', current: false }],
					['second', { kind: 'branch', name: 'topic/two', current: false }],
					['third']
				])
			);
			expect(await readHeadCommit(environment)).toMatchObject({ subject: 'merged', head: true });
		});

		it('tells where HEAD is, with a branch or without, and from where a remote has its own', async () => {
			await makeHistory();
			await run('git update-ref refs/remotes/origin/main v1');
			await run('git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main');
			const heads = async (): Promise<unknown[]> =>
				(await commits()).filter(({ head }) => head).map(({ subject, refs }) => [subject, refs]);
			expect(await heads()).toEqual([['merged', [{ kind: 'branch', name: 'main', current: true }]]]);
			const first = (await commits()).at(-1);
			expect(first?.refs.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(['remote origin/main', 'tag v1']);

			await run('git switch -q --detach');
			expect(await heads()).toEqual([['merged', [{ kind: 'branch', name: 'main', current: false }]]]);
			await run('git commit -q --allow-empty -m alone');
			expect(await heads()).toEqual([['alone', []]]);
			expect(await readHeadCommit(environment)).toMatchObject({ subject: 'alone', refs: [], head: true });
		});

		it('shows what each commit changed', async () => {
			await makeHistory();
			await changeFiles();
			const [commit] = await commits();
			const files = await readCommitFiles(environment, commit!);
			expect(files.map(({ path, kind, added, removed, binary }) => [path, kind, added, removed, binary])).toEqual([
				['a b', 'added', 0, 0, true],
				['one', 'modified', 2, 1, false],
				['three', 'removed', 0, 1, false]
			]);
			const sides = async (path: string, kind: ChangedFile['kind']): Promise<unknown[]> => {
				const { before, after, ...modes } = await compareInCommit(environment, commit!, { path, kind });
				const [old, young] = [before, after].map((side) => side && new TextDecoder().decode(side));
				return [old, modes.beforeMode, young, modes.afterMode];
			};
			expect(await sides('one', 'modified')).toEqual(['one\n', Mode.file, '1\n2\n', Mode.file]);
			expect(await sides('three', 'removed')).toEqual(['3\n', Mode.file, null, null]);
			expect(await sides('a b', 'added')).toEqual([null, null, '\0\x01', Mode.file]);
			const [first] = (await commits()).slice(-1);
			expect((await readCommitFiles(environment, first!)).map(({ path, kind }) => [path, kind])).toEqual([
				['one', 'added']
			]);
		});

		it('counts the lines of large changes', async () => {
			const lines = (count: number, word: string): string => `${word}\n`.repeat(count);
			await environment.writeFile('long', lines(123, 'old'));
			await run('git add -A && git commit -qm old');
			await environment.writeFile('long', lines(45, 'new'));
			await run('git add -A && git commit -qm new');
			const [commit] = await commits();
			expect(await readCommitFiles(environment, commit!)).toEqual([
				{ path: 'long', kind: 'modified', added: 45, removed: 123, binary: false, version: commit!.id }
			]);
		});
	});

	describe('branches', () => {
		/** Adds the branches `far` and `main` of a remote, whose default branch is `main`. */
		async function addRemote(): Promise<void> {
			await run('git update-ref refs/remotes/origin/far topic/two && git update-ref refs/remotes/origin/main main');
			await run('git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main');
			await run('git remote add origin https://example.com/x.git');
		}
		const settings = async (): Promise<string> => (await environment.exec('git config --get-regexp ^branch')).stdout;
		const names = async (): Promise<string[]> => (await readBranches(environment)).local.map(({ name }) => name).sort();

		it('are listed, made, switched to and deleted', async () => {
			await makeHistory();
			await addRemote();
			const before = await readBranches(environment);
			expect(before.current).toBe('main');
			expect(before.local.map(({ name }) => name).sort()).toEqual(['main', 'topic/two']);
			expect(before.remote).toEqual(['origin/far']);

			await createBranch(environment, 'new');
			expect((await readBranches(environment)).current).toBe('new');
			await switchBranch(environment, 'main');
			expect((await readBranches(environment)).current).toBe('main');
			await deleteBranch(environment, 'new');
			expect(await names()).toEqual(['main', 'topic/two']);
		});

		it('follow a remote one until they are deleted', async () => {
			await makeHistory();
			await addRemote();
			await followBranch(environment, 'origin/far');
			expect(await settings()).toBe('branch.far.remote origin\nbranch.far.merge refs/heads/far\n');
			const { current, remote } = await readBranches(environment);
			expect(current).toBe('far');
			expect(remote).toEqual([]);
			expect(await readHeadCommit(environment)).toMatchObject({ subject: 'second' });

			await switchBranch(environment, 'main');
			await deleteBranch(environment, 'far');
			expect(await names()).toEqual(['main', 'topic/two']);
			expect(await settings()).toBe('');
		});

		it('come the last used first, with their commits, and one of them is current', async () => {
			const commit = (name: string, day: number): Promise<void> =>
				run(`GIT_COMMITTER_DATE="2026-01-0${day}T12:00:00Z" git commit -q --allow-empty -m ${name}`);
			await commit('old', 1);
			await run('git branch old && git switch -qc young');
			await commit('young', 3);
			await run('git switch -q main');
			await commit('middle', 2);
			const ids = new Map((await commits()).map(({ subject, id }) => [subject, id]));
			const local = [
				{ name: 'young', current: false, commit: ids.get('young') },
				{ name: 'main', current: true, commit: ids.get('middle') },
				{ name: 'old', current: false, commit: ids.get('old') }
			];
			expect(await readBranches(environment)).toEqual({ current: 'main', local, remote: [] });

			await run('git switch -q --detach');
			expect(await readBranches(environment)).toEqual({
				current: null,
				local: local.map((branch) => ({ ...branch, current: false })),
				remote: []
			});
		});

		it('can start at another commit', async () => {
			await makeHistory();
			const first = (await commits()).at(-1)!;
			await createBranch(environment, 'again', first.id);
			expect(await readHeadCommit(environment)).toMatchObject({ id: first.id });
			expect((await readBranches(environment)).current).toBe('again');
			await createBranch(environment, 'tagged', 'v1');
			expect(await readHeadCommit(environment)).toMatchObject({ id: first.id });
		});

		it('keep changes that a switch would overwrite', async () => {
			await makeHistory();
			await changeFiles();
			await environment.writeFile('one', 'mine\n');
			await expect(switchBranch(environment, 'topic/two')).rejects.toThrow(/overwritten/);
			expect(await environment.readFile('one')).toBe('mine\n');
		});

		it('have names that git takes, and no options', async () => {
			for (const name of ['', '-d', '--orphan', 'a..b', 'a b', 'x.lock', '/a', 'a/', '.a', 'a~1', 'HEAD', '@', 'a@{1}'])
				expect([name, isBranchName(name)]).toEqual([name, false]);
			for (const name of ['a', 'feature/x-1', 'ümlaut', 'v1.2', '修复'])
				expect([name, isBranchName(name)]).toEqual([name, true]);
			await makeHistory();
			await expect(createBranch(environment, '--orphan')).rejects.toThrow('cannot be the name of a branch');
			await createBranch(environment, '修复/x');
			expect((await readBranches(environment)).current).toBe('修复/x');
		});
	});

	describe('a commit of the workspace', () => {
		it('can have an author, and can replace the last one', async () => {
			await makeHistory();
			await changeFiles();
			const store = new MemoryCheckpointStore((id) => environment.readBlob(id));
			const workspace = await Workspace.open({ environment, origin: { kind: 'files', name: 'x' }, store });
			const author = { name: "O'Neil", email: 'o@example.com' };
			await environment.writeFile('one', 'first try\n');
			await workspace.commit('try', { author });
			await environment.writeFile('one', 'second try\n');
			expect(await workspace.changes()).toHaveLength(1);
			const id = await workspace.commit('tried\n\nbecause', { author, amend: true });
			expect(await workspace.changes()).toEqual([]);
			const [head, next] = await commits();
			expect(head).toMatchObject({ id, subject: 'tried', body: 'because', author });
			expect(next?.subject).toBe('files');
			expect(await subjects()).not.toContain('try');
			workspace.close();
		});
	});
}
