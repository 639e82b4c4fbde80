import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import { LocalExecutionEnvironment } from '#environment/local/index.ts';
import { Mode } from '#environment/mode.ts';
import type { PathDifference } from '#workspace/contract.ts';
import { pushBranch } from '#workspace/publish/push-branch.ts';
import { startGitServer, type GitServer } from '#test/git-server.ts';

const root = mkdtempSync(path.join(tmpdir(), 'push-'));
const contents = new Map<string, Uint8Array>();
let server: GitServer;
let environment: LocalExecutionEnvironment;
let exec: MockInstance<LocalExecutionEnvironment['exec']>;

function git(folder: string, ...args: string[]): string {
	const host = ['-c', 'user.name=Host', '-c', 'user.email=host@example.org'];
	return execFileSync('git', [...host, ...args], { cwd: path.join(root, folder), encoding: 'utf8' });
}
const hosted = (...args: string[]): string => git('host.git', ...args).trimEnd();

beforeAll(async () => {
	server = await startGitServer(root);
	mkdirSync(path.join(root, 'here'));
	environment = new LocalExecutionEnvironment({ workingDirectory: path.join(root, 'here') });
	await environment.initialize();
});
afterAll(async () => {
	await environment.cleanup();
	await server.close();
	rmSync(root, { recursive: true });
});
beforeEach(() => {
	const seed = path.join(root, 'seed');
	mkdirSync(path.join(seed, 'src'), { recursive: true });
	for (const [name, text] of Object.entries({ 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'old.txt': 'old\n', run: '#!\n' }))
		writeFileSync(path.join(seed, name), text);
	symlinkSync('a.txt', path.join(seed, 'link'));
	writeFileSync(path.join(seed, '.gitignore'), 'ignored/\n');
	git('seed', 'init', '-q', '-b', 'trunk');
	git('seed', 'add', '-A');
	git('seed', 'commit', '-qm', 'First');
	git('seed', 'branch', 'release');
	git('', 'clone', '-q', '--bare', 'seed', 'host.git');
	exec = vi.spyOn(environment, 'exec');
});
afterEach(() => {
	for (const folder of ['seed', 'host.git']) rmSync(path.join(root, folder), { recursive: true });
	// Whatever the result of a push, its temporary folder is removed, and nothing was added to the project.
	const folders = new Set(exec.mock.calls.map(([, options]) => options?.env?.['FOLDER'] ?? ''));
	expect([...folders].filter((folder) => folder === '' || existsSync(folder))).toEqual([]);
	expect(readdirSync(path.join(root, 'here'))).toEqual([]);
	exec.mockRestore();
});

/** A path that was imported with one text and has another now; `null` if the file does not exist. */
async function difference(
	name: string,
	before: string | null,
	after: string | null,
	mode: number = Mode.file
): Promise<PathDifference> {
	const side = async (text: string | null) => {
		if (text === null) return null;
		const bytes = new TextEncoder().encode(text);
		const blob = await blobId(bytes);
		contents.set(blob, bytes);
		return { blob, mode };
	};
	return { path: name, before: await side(before), after: await side(after) };
}

const push = (
	differences: readonly PathDifference[],
	{ again, ...wanted }: { url?: string; branch?: string; message?: string; target?: string; again?: true } = {},
	options: Parameters<typeof pushBranch>[2] = {}
) =>
	pushBranch(
		environment,
		{
			url: `${server.url}/host.git`,
			branch: 'work',
			message: 'Say more',
			author: { name: 'Ada', email: 'ada@example.org' },
			differences,
			readBlob: async (id) => contents.get(id) ?? new Uint8Array(),
			...wanted,
			...(again ? { again, target: 'trunk' } : { again: false })
		},
		options
	);
const change = (after = 'more\n') => Promise.all([difference('a.txt', 'a\n', after)]);

describe('a pushed branch', () => {
	it('has what was made, changed and removed in one commit of its author on the host’s default branch', async () => {
		const steps: string[] = [];
		const differences = await Promise.all([
			difference('a.txt', 'a\n', 'more\n'),
			difference('old.txt', 'old\n', null),
			difference('run', '#!\n', '#!\n', Mode.executable),
			difference('link', 'a.txt', 'src/b.txt', Mode.symlink),
			difference('deep/it’s "new" $HOME.txt', null, 'new\n'),
			difference('-q', null, 'no option\n'),
			difference('ignored/x', null, 'was imported\n')
		]);
		const pushed = await push(
			differences,
			{},
			{
				onStep: (step) => steps.push(step),
				onPush: (commit) => steps.push(commit, hosted('branch', '--list', 'work'))
			}
		);
		expect(pushed).toEqual({ target: 'trunk', commit: hosted('rev-parse', 'work') });
		expect(steps).toEqual(['fetching', 'committing', 'pushing', pushed.commit, '']);
		expect(hosted('rev-parse', 'work~1')).toBe(hosted('rev-parse', 'trunk'));
		expect(hosted('log', '-1', '--format=%an %ae %cn %s', 'work')).toBe('Ada ada@example.org Ada Say more');
		const raw = hosted('-c', 'core.quotePath=false', 'diff', '--raw', '--no-renames', 'trunk', 'work');
		expect(raw.replaceAll(/ [0-9a-f]{7,} [0-9a-f]{7,} /g, ' ').split('\n')).toEqual([
			':000000 100644 A\t-q',
			':100644 100644 M\ta.txt',
			':000000 100644 A\t"deep/it’s \\"new\\" $HOME.txt"',
			':000000 100644 A\tignored/x',
			':120000 120000 M\tlink',
			':100644 000000 D\told.txt',
			':100644 100755 M\trun'
		]);
		expect(hosted('show', 'work:deep/it’s "new" $HOME.txt')).toBe('new');
		expect(hosted('show', 'work:link')).toBe('src/b.txt');
	});

	it('stands on the branch that was asked for', async () => {
		git('host.git', 'update-ref', 'refs/heads/release', hosted('commit-tree', '-m', 'Released', 'trunk^{tree}'));
		expect(await push(await change(), { target: 'release' })).toMatchObject({ target: 'release' });
		expect(hosted('rev-parse', 'work~1')).toBe(hosted('rev-parse', 'release'));
	});

	it('gets a further commit of what changed since, and nothing of what the host has', async () => {
		const first = await push(await change());
		const later = await Promise.all([difference('a.txt', 'more\n', 'most\n'), difference('b', null, 'b')]);
		const second = await push(later, { again: true, message: 'Say most' });
		expect(hosted('rev-parse', 'work')).toBe(second.commit);
		expect(hosted('rev-parse', 'work~1')).toBe(first.commit);
		expect(hosted('show', 'work:a.txt')).toBe('most');
		await expect(push(later, { again: true })).rejects.toMatchObject({ code: 'publish_nothing' });
		expect(hosted('rev-list', '--count', 'work')).toBe('3');
	});

	it('takes any number of files', async () => {
		const many = Array.from({ length: 450 }, (_, at) => difference(`many/${at}`, null, `${at}`));
		await push(await Promise.all(many));
		expect(hosted('ls-tree', '-r', '--name-only', 'work', 'many').split('\n')).toHaveLength(450);
		const gone = Array.from({ length: 450 }, (_, at) => difference(`many/${at}`, `${at}`, null));
		await push(await Promise.all(gone), { again: true });
		expect(hosted('ls-tree', '-r', '--name-only', 'work', 'many')).toBe('');
	});

	it('leaves out what the host has done already, and refuses what it has changed otherwise', async () => {
		writeFileSync(path.join(root, 'seed/a.txt'), 'theirs\n');
		writeFileSync(path.join(root, 'seed/src/b.txt'), 'same\n');
		rmSync(path.join(root, 'seed/old.txt'));
		git('seed', 'commit', '-qam', 'Theirs');
		git('seed', 'push', '-q', path.join(root, 'host.git'), 'trunk');
		const same = await Promise.all([difference('src/b.txt', 'b\n', 'same\n'), difference('old.txt', 'old\n', null)]);
		await expect(push(same)).rejects.toMatchObject({ code: 'publish_nothing' });
		const moved = await Promise.all([difference('a.txt', 'a\n', 'ours\n'), difference('src/b.txt', null, 'ours')]);
		await expect(push([...same, ...moved])).rejects.toMatchObject({
			code: 'publish_moved',
			detail: 'a.txt, src/b.txt'
		});
		await push([...same, await difference('run', '#!\n', 'ours')]);
		expect(hosted('diff', '--name-only', 'trunk', 'work')).toBe('run');
	});
});

describe('a branch that is not pushed', () => {
	it('has no name that git would take for something else, and no empty commit', async () => {
		for (const branch of ['--force', 'a..b', ''])
			await expect(push(await change(), { branch })).rejects.toMatchObject({ code: 'publish_name', detail: branch });
		await expect(push([])).rejects.toMatchObject({ code: 'publish_nothing' });
		expect(exec).not.toHaveBeenCalled();
	});

	it('replaces none of the host’s', async () => {
		await expect(push(await change(), { branch: 'release' })).rejects.toMatchObject({ code: 'publish_branch_exists' });
		for (const target of [undefined, 'trunk'])
			await expect(push(await change(), { branch: 'trunk', ...(target && { target }) })).rejects.toMatchObject({
				code: 'publish_branch_exists'
			});
		const again = { again: true, branch: 'trunk' } as const;
		await expect(push(await change(), again)).rejects.toMatchObject({ code: 'publish_branch_exists' });
		expect(hosted('branch', '--format=%(refname:short)').split('\n')).toEqual(['release', 'trunk']);
		expect(hosted('rev-parse', 'release')).toBe(hosted('rev-parse', 'trunk'));
	});

	it('says where it failed: no branch to stand on, no repository, a host that refuses', async () => {
		await expect(push(await change(), { target: 'gone' })).rejects.toMatchObject({ code: 'publish_no_branch' });
		await expect(push(await change(), { url: `${server.url}/none.git` })).rejects.toMatchObject({
			name: 'PublishError',
			code: 'request_not_found'
		});
		const hook = path.join(root, 'host.git/hooks/pre-receive');
		writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
		await expect(push(await change())).rejects.toMatchObject({ code: 'publish_protected' });
	});

	it('ends once the user cancelled, whatever it was at', async () => {
		for (const at of ['fetching', 'committing', 'pushing']) {
			const cancel = new AbortController();
			const onStep = (step: string): void => void (step === at && cancel.abort());
			await expect(push(await change(), {}, { onStep, signal: cancel.signal })).rejects.toMatchObject({
				name: 'AbortError'
			});
			const commands = exec.mock.calls.filter(([command]) => !command.startsWith('rm '));
			expect(commands.every(([, options]) => options?.signal === cancel.signal)).toBe(true);
			exec.mockClear();
		}
		expect(hosted('branch', '--list', 'work')).toBe('');
	});
});
