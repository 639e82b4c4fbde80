import { describe, expect, it } from 'vitest';
import { gitSnapshot } from '#agent/prompt/git-snapshot.ts';
import type { ExecOptions, ExecutionEnvironment } from '#environment/contract.ts';

interface Repository {
	directory?: string;
	files?: Record<string, string>;
	/** Output of git, by a part of its command; if absent, the command fails. */
	git?: Record<string, string>;
}

function reading({
	directory = '/work',
	files = { '/work/.git': '', '/work/.git/HEAD': 'ref: refs/heads/main\n' },
	git = {}
}: Repository) {
	const commands: { command: string; options: ExecOptions }[] = [];
	const environment = {
		workingDirectory: () => directory,
		platform: () => 'wasm',
		fileExists: (path: string) =>
			path.startsWith('/.') ? Promise.reject(new Error('EACCES')) : Promise.resolve(path in files),
		readFile: (path: string) => (path in files ? Promise.resolve(files[path]) : Promise.reject(new Error('ENOENT'))),
		exec: (command: string, options: ExecOptions) => {
			commands.push({ command, options });
			const found = Object.entries(git).find(([part]) => command.includes(part));
			return Promise.resolve({
				stdout: found?.[1] ?? '',
				stderr: '',
				exitCode: found ? 0 : 1,
				timedOut: false,
				durationMs: 1
			});
		}
	} as unknown as ExecutionEnvironment;
	return { commands, snapshot: gitSnapshot(environment) };
}
const text = (...lines: string[]): string =>
	`Git at the start of the session (it is not kept up to date here):\n<untrusted source="git">\n${lines.join('\n')}\n</untrusted>`;

describe('the state of a repository', () => {
	it('has its branch, what is changed and its last commits', async () => {
		const { snapshot, commands } = reading({
			git: { log: ' M a.ts\nA  b.ts\n?? c.ts\n?? d.ts\n?? e.ts\nabc1234 First\n0def Second (x)\n' }
		});
		expect(await snapshot).toEqual({
			root: '/work',
			branch: 'main',
			text: text(
				'Branch: main',
				'Status: 2 modified, 3 untracked',
				'Recent commits:',
				'abc1234 First',
				'0def Second (x)'
			)
		});
		expect(commands).toHaveLength(1);
		expect(commands[0]?.command).toContain('status --porcelain');
		expect(commands[0]?.command).toContain('log --oneline -n 8');
		expect(commands[0]?.options.timeoutMs).toBe(3_000);
	});

	it('has its status alone before the first commit, and nothing that git does not report', async () => {
		expect((await reading({ git: { 'status --porcelain': '?? a\n' } }).snapshot).text).toBe(
			text('Branch: main', 'Status: 0 modified, 1 untracked')
		);
		const { snapshot, commands } = reading({});
		expect((await snapshot).text).toBe(text('Branch: main'));
		expect(commands.map(({ command }) => command.includes('log'))).toEqual([true, false]);
	});

	it.each<[string, Repository, { root: string | null; branch: string }]>([
		['in a directory below it', { directory: '/work/a/b' }, { root: '/work', branch: 'main' }],
		['nowhere', { files: {} }, { root: null, branch: '' }],
		[
			'at a branch with a slash',
			{ files: { '/work/.git': '', '/work/.git/HEAD': 'ref: refs/heads/a/b\n' } },
			{ root: '/work', branch: 'a/b' }
		],
		['at no branch', { files: { '/work/.git': '', '/work/.git/HEAD': 'abc123\n' } }, { root: '/work', branch: '' }],
		[
			'in a worktree',
			{ files: { '/work/.git': '' }, git: { 'branch --show-current': 'topic\n' } },
			{ root: '/work', branch: 'topic' }
		]
	])('is found %s', async (_, repository, found) => {
		const { root, branch, text: said } = await reading(repository).snapshot;
		expect({ root, branch }).toEqual(found);
		expect(said === '').toBe(root === null);
		if (root !== null) expect(said).toContain(`\nBranch: ${branch || 'detached'}\n`);
	});
});
