import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
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
import { readCommits, type Commit } from '#workspace/repository/commits.ts';
import { Workspace } from '#workspace/workspace.ts';

const AUTHOR = 'GIT_AUTHOR_NAME="A, B" GIT_AUTHOR_EMAIL=a@example.com GIT_AUTHOR_DATE="1700000000 +0000"';

/** History, branches and commits of a repository are read the same from every git. */
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

	/** Makes four commits: `first`, then `second` on `topic/two` and `third` on `main`, and both merged. */
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
			const text = async (path: string, kind: 'modified' | 'removed'): Promise<unknown[]> => {
				const { before, after } = await compareInCommit(environment, commit!, { path, kind });
				return [before, after].map((side) => side && new TextDecoder().decode(side));
			};
			expect(await text('one', 'modified')).toEqual(['one\n', '1\n2\n']);
			expect(await text('three', 'removed')).toEqual(['3\n', null]);
			const [first] = (await commits()).slice(-1);
			expect((await readCommitFiles(environment, first!)).map(({ path, kind }) => [path, kind])).toEqual([
				['one', 'added']
			]);
		});
	});

	describe('branches', () => {
		it('are listed, made, switched to, followed and deleted', async () => {
			await makeHistory();
			await run('git update-ref refs/remotes/origin/far topic/two && git update-ref refs/remotes/origin/main main');
			await run('git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main');
			await run('git remote add origin https://example.com/x.git');
			const before = await readBranches(environment);
			expect(before.current).toBe('main');
			expect(before.local.map(({ name }) => name).sort()).toEqual(['main', 'topic/two']);
			expect(before.remote).toEqual(['origin/far']);

			await createBranch(environment, 'new');
			await followBranch(environment, 'origin/far');
			const { current, local, remote } = await readBranches(environment);
			expect(current).toBe('far');
			expect(local.map(({ name }) => name).sort()).toEqual(['far', 'main', 'new', 'topic/two']);
			expect(remote).toEqual([]);

			await switchBranch(environment, 'main');
			await deleteBranch(environment, 'far');
			expect((await readBranches(environment)).local.map(({ name }) => name).sort()).toEqual([
				'main',
				'new',
				'topic/two'
			]);
		});

		it('keep changes that a switch would overwrite', async () => {
			await makeHistory();
			await changeFiles();
			await environment.writeFile('one', 'mine\n');
			await expect(switchBranch(environment, 'topic/two')).rejects.toThrow(/overwritten/);
			expect(await environment.readFile('one')).toBe('mine\n');
		});

		it('have names that git takes, and no options', async () => {
			for (const name of ['', '-d', '--orphan', 'a..b', 'a b', 'x.lock', '/a', 'a/', '.a', 'a~1', 'HEAD', 'a@{1}'])
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
