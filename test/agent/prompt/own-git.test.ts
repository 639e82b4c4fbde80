import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PermissionMode } from '#agent/guards/permission-types.ts';
import { gitSnapshot } from '#agent/prompt/git-snapshot.ts';
import type { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { ownGit } from '#environment/own-git.ts';
import { shellWord } from '#environment/shell-word.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { fakeSession } from '../fake-session.ts';

const MODES: PermissionMode[] = ['plan', 'ask', 'auto-edit', 'full'];

/** Every setting that makes git run a program, each with its own canary file. */
const SETTINGS = [
	'core.fsmonitor',
	'core.pager',
	'pager.status',
	'pager.log',
	'core.editor',
	'sequence.editor',
	'core.sshCommand',
	'core.askPass',
	'core.gitProxy',
	'core.alternateRefsCommand',
	'credential.helper',
	'diff.external',
	'diff.odd.command',
	'diff.odd.textconv',
	'filter.odd.clean',
	'filter.odd.smudge',
	'filter.odd.process',
	'merge.odd.driver',
	'gpg.program',
	'gpg.ssh.program',
	'uploadpack.packObjectsHook',
	'remote.origin.uploadpack',
	'remote.origin.receivepack',
	'interactive.diffFilter',
	'trailer.odd.command',
	'alias.status',
	'alias.log'
];
const HOOKS = [
	'pre-commit',
	'post-commit',
	'commit-msg',
	'prepare-commit-msg',
	'post-index-change',
	'reference-transaction'
];

let environment: LocalExecutionEnvironment;
beforeEach(async () => {
	environment = await createTemporary();
});
afterEach(async () => {
	await environment.cleanup();
	await removeTemporary();
});

const canaries = (): string => `${path.dirname(environment.workingDirectory())}/canaries`;

/** A command that creates a canary file named after the setting. */
const canary = (name: string): string => `touch ${canaries()}/${name}; false`;

/** A repository, an embedded one and a submodule, with canary commands in all settings. */
async function hostileRepository(): Promise<void> {
	const identity = '-c user.name=Test -c user.email=test@example.com';
	const lines = [
		`mkdir ${canaries()}`,
		'git init -q -b trunk inner && cd inner && echo 1 > in.txt && git add .',
		`git ${identity} commit -qm Inner && cd ..`,
		'git init -q -b trunk . && echo 1 > a.txt',
		`printf '* filter=odd diff=odd merge=odd\\n' > .gitattributes`,
		`git -c protocol.file.allow=always submodule --quiet add ./inner sub && git add a.txt .gitattributes`,
		`git ${identity} commit -qm "First commit" && git ${identity} commit -qm "Second commit" --allow-empty`,
		// Files with different times are compared by content, through the filters.
		'sleep 0.01; echo 2 > a.txt; touch new1; touch .gitattributes; echo changed > sub/in.txt',
		// A bare repository among the files, which git uses if it is run there.
		'mkdir -p docs/objects docs/refs && echo "ref: refs/heads/trunk" > docs/HEAD && cp .git/config docs/config'
	];
	const { exitCode, stderr } = await environment.exec(lines.join('\n'));
	expect([exitCode, stderr]).toEqual([0, '']);
	const settings = [
		...SETTINGS.map((name): [string, string] => [
			name,
			name.startsWith('alias.') ? `!${canary(name)}` : `${canary(name)} #`
		]),
		...['log.showSignature', 'status.submoduleSummary', 'submodule.recurse'].map((name) => [name, 'true']),
		['include.path', 'more']
	];
	const planted: string[] = [];
	for (const directory of ['.git', '.git/modules/sub', 'inner/.git', 'docs']) {
		for (const [name = '', value = ''] of settings)
			planted.push(`git config -f ${directory}/config ${name} ${shellWord(value)}`);
		const more = `[core]\n\tfsmonitor = ${canary('included')} #\n`;
		planted.push(`mkdir -p ${directory}/hooks; printf '%s' ${shellWord(more)} > ${directory}/more`);
		for (const hook of HOOKS) {
			const file = `${directory}/hooks/${hook}`;
			planted.push(`printf '%s' ${shellWord(`#!/bin/sh\n${canary(hook)}\n`)} > ${file}; chmod +x ${file}`);
		}
	}
	await environment.exec(planted.join('\n'));
	await environment.exec('git config -f .gitmodules submodule.sub.ignore none');
	await environment.writeFile('node_modules/.bin/git', `#!/bin/sh\n${canary('path')}\n`);
	await environment.setMode('node_modules/.bin/git', 0o755);
}

const ran = (): Promise<string[]> => readdir(canaries());

describe('git that Sandglass runs itself', () => {
	it('has canaries that git does run when it is called plainly', async () => {
		await hostileRepository();
		await environment.exec('git status; git -c user.name=n -c user.email=e commit -qam x; cd docs && git log');
		expect(await ran()).toEqual(expect.arrayContaining(['filter.odd.process', 'included', 'post-index-change']));
	});

	it('runs nothing of the repository for the prompt, and tells branch, status and commits', async () => {
		await hostileRepository();
		const { branch, text } = await gitSnapshot(environment);
		expect(await ran()).toEqual([]);
		expect(branch).toBe('trunk');
		expect(text).toMatch(/Status: 2 modified, 4 untracked\n[\s\S]*Second commit\n[\s\S]*First commit/);
	});

	it('runs nothing of an embedded bare repository, a worktree or a detached head', async () => {
		await hostileRepository();
		await environment.exec(
			'git -c core.fsmonitor= -c core.hooksPath=/dev/null -c filter.odd.smudge= -c filter.odd.process= -c filter.odd.clean= worktree add -q -b other ../linked'
		);
		await environment.exec(`rm -rf ${canaries()}/*`);
		for (const cwd of ['docs', '../linked', 'inner'])
			await environment.exec(ownGit(environment, 'status --porcelain', 'log --oneline'), {
				cwd
			});
		const { stdout } = await environment.exec(ownGit(environment, 'branch --show-current'), { cwd: '../linked' });
		expect(stdout).toBe('other\n');
		expect(await ran()).toEqual([]);
	});

	it('is the git of the machine, not one of the repository, and gets no GIT variable', async () => {
		await hostileRepository();
		const env = {
			PATH: `${environment.workingDirectory()}/node_modules/.bin:node_modules/.bin:${process.env['PATH']}`,
			GIT_EXTERNAL_DIFF: canary('GIT_EXTERNAL_DIFF'),
			GIT_CONFIG_COUNT: '1',
			GIT_CONFIG_KEY_0: 'core.fsmonitor',
			GIT_CONFIG_VALUE_0: `${canary('GIT_CONFIG')} #`,
			GIT_PAGER: canary('GIT_PAGER')
		};
		const { stdout, exitCode } = await environment.exec(ownGit(environment, 'log -p --format=%s -n 1', 'diff'), {
			env
		});
		expect(exitCode).toBe(0);
		expect(stdout).toContain('Second commit');
		expect(stdout).toContain('+2');
		expect(await ran()).toEqual([]);
	});

	it('commits without hooks, filters and signatures, on the real branch', async () => {
		await hostileRepository();
		const env = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
		const command = ownGit(environment, 'add -A', 'commit -q -m Third', 'log --oneline -n 1');
		const { stdout, exitCode } = await environment.exec(command, { env });
		expect(exitCode).toBe(0);
		expect(stdout).toMatch(/^[0-9a-f]{7,} Third$/m);
		expect(await environment.readFile('.git/refs/heads/trunk')).toMatch(/^[0-9a-f]{40}\n$/);
		expect((await gitSnapshot(environment)).text).toContain('Third');
		expect(await ran()).toEqual([]);
	});

	it.each(MODES)('runs nothing when a session is opened and asked in mode %s, and leaves no files', async (mode) => {
		await hostileRepository();
		const before = (await readdir(tmpdir())).filter((name) => name.startsWith('sandglass-git-'));
		const { session } = await fakeSession([{ text: 'Done.' }], { environment, mode });
		await session.submit('Hello');
		await session.close();
		expect(await ran()).toEqual([]);
		const after = (await readdir(tmpdir())).filter((name) => name.startsWith('sandglass-git-'));
		expect(after.filter((name) => !before.includes(name))).toEqual([]);
	});
});
