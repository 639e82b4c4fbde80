import { afterAll, beforeAll, expect, it } from 'vitest';
import gitUrl from '#computer/git/main.ts?program';
import nodeUrl from '#computer/node/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

type Sandbox = Awaited<ReturnType<typeof sandboxInPage>>;

const programs = [
	{ ...PROGRAMS.shell, url: shellUrl },
	{ ...PROGRAMS.node, url: nodeUrl },
	{ ...PROGRAMS.git, url: gitUrl }
];

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await sandboxInPage(programs);
});
afterAll(() => sandbox.cleanup());

it('works with git through the shell after node wrote a file', async () => {
	const run = async (command: string) => {
		const { stdout, stderr, exitCode } = await sandbox.exec(command, { timeoutMs: 50_000 });
		return { stdout, stderr, exitCode };
	};
	await sandbox.writeFile('/workspace/.gitignore', 'node_modules\n');
	await sandbox.writeFile('/workspace/node_modules/x.js', '');
	expect(await run('git-baseline --message Imported --branch main')).toMatchObject({ exitCode: 0, stderr: '' });
	expect(await run('git status --porcelain')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
	await run(`node -e "require('fs').writeFileSync('a.txt', 'hello\\n')"`);
	expect(
		await run('git status -s && git add a.txt && git commit -q -m "Add a" && git log --format=%s | head -1')
	).toEqual({
		stdout: '?? a.txt\nAdd a\n',
		stderr: '',
		exitCode: 0
	});
	await run(`node -e "require('fs').appendFileSync('a.txt', 'more\\n')"`);
	expect((await run('git diff | tail -4')).stdout).toBe('+++ b/a.txt\n@@ -1 +1,2 @@\n hello\n+more\n');
	expect(await run('cd /tmp && git status')).toEqual({
		stdout: '',
		stderr: 'fatal: not a git repository (or any of the parent directories): .git\n',
		exitCode: 128
	});
});

it('writes and reads dates in the zone that TZ names', async () => {
	const committed = ['Asia/Tokyo', 'America/New_York', 'UTC'].map(
		(zone) =>
			`TZ=${zone} git commit -q --allow-empty -m x --date '2024-07-01 12:00:00'; TZ=${zone} git log -1 --format='%aI'; TZ=America/St_Johns git log -1 --format=%ad --date=local`
	);
	const { stdout, stderr } = await sandbox.exec(
		`mkdir /tmp/zones; cd /tmp/zones; git init -q; ${committed.join('; ')}; for form in iso-local iso-strict-local rfc-local short-local raw-local unix-local default-local 'format-local:%H:%M %z'; do TZ=America/St_Johns git log -1 --format=%ad --date="$form"; done`,
		{ timeoutMs: 50_000 }
	);
	expect([stdout.split('\n'), stderr]).toEqual([
		[
			'2024-07-01T12:00:00+09:00',
			'Mon Jul 1 00:30:00 2024',
			'2024-07-01T12:00:00-04:00',
			'Mon Jul 1 13:30:00 2024',
			'2024-07-01T12:00:00+00:00',
			'Mon Jul 1 09:30:00 2024',
			'2024-07-01 09:30:00 -0230',
			'2024-07-01T09:30:00-02:30',
			'Mon, 1 Jul 2024 09:30:00 -0230',
			'2024-07-01',
			'1719835200 -0230',
			'1719835200',
			'Mon Jul 1 09:30:00 2024',
			'09:30 -0230',
			''
		],
		''
	]);
});

it('finds the commit that broke something by a command that tells', async () => {
	const run = (command: string) => sandbox.exec(`cd /tmp/search && ${command}`, { timeoutMs: 50_000 });
	const made = await sandbox.exec(
		'git init -q /tmp/search && cd /tmp/search && for i in 1 2 3 4 5 6 7; do echo $i > f; [ $i -lt 5 ] || touch broken; git add -A; git commit -qm "c$i"; done',
		{ timeoutMs: 50_000 }
	);
	expect(made).toMatchObject({ exitCode: 0 });
	expect((await run('git bisect start HEAD HEAD~6')).stdout).toMatch(
		/^Bisecting: 2 revisions left .*\n\[\w{40}\] c4\n$/
	);
	const found = await run(`git bisect run sh -c 'echo "try $(cat f)"; test ! -f broken'`);
	expect(found).toMatchObject({ exitCode: 0, stderr: '' });
	expect(found.stdout.match(/^try \d$/gm)).toEqual(['try 4', 'try 6', 'try 5']);
	expect(found.stdout).toContain('is the first bad commit');
	expect(found.stdout).toMatch(/ {4}c5\n[^]*create mode 100644 broken\nbisect found first bad commit$/);
	expect((await run('git bisect reset && cat f && git status -sb')).stdout).toBe('7\n## main\n');
	expect((await run('git bisect run true')).exitCode).toBe(1);
});

it('makes a baseline of 5,000 files and looks at their status', async () => {
	const large = await sandboxInPage(programs);
	const text = Array.from({ length: 250 }, (_, line) => `const value${line} = ${line}; // some text\n`)
		.join('')
		.slice(0, 9_990);
	async function* entries() {
		for (let i = 0; i < 5000; i++) {
			yield { path: `d${i % 50}/s${i % 7}/f${i}.ts`, mode: 0o644, bytes: new TextEncoder().encode(`${text}${i}`) };
		}
	}
	await large.load(entries());
	const baseline = await large.exec('git-baseline', { timeoutMs: 60_000 });
	const status = await large.exec('git status --porcelain', { timeoutMs: 60_000 });
	console.log(
		`5,000 files, 50 MB: baseline ${Math.round(baseline.durationMs)} ms, status ${Math.round(status.durationMs)} ms`
	);
	expect(baseline).toMatchObject({ exitCode: 0, stderr: '' });
	expect(status).toMatchObject({ exitCode: 0, stdout: '' });
	await large.cleanup();
});

it('runs hooks, aliases of the shell and editors, and works through a list of commits as it was edited', async () => {
	const run = async (command: string) => {
		const { stdout, exitCode } = await sandbox.exec(`cd /tmp/listed && ${command}`, { timeoutMs: 50_000 });
		return { lines: stdout.trimEnd().split('\n'), exitCode };
	};
	await sandbox.exec('git init -q /tmp/listed', { timeoutMs: 50_000 });
	const made = await run(
		'for i in 1 2 3 4; do echo $i >> f; git add .; git commit -qm "commit $i"; done; git log --format=%s'
	);
	expect(made).toEqual({ lines: ['commit 4', 'commit 3', 'commit 2', 'commit 1'], exitCode: 0 });
	const edited = await run(
		`GIT_SEQUENCE_EDITOR="sed -i -e 's/^pick\\(.* commit 3\\)$/fixup\\1/' -e 's/^pick\\(.* commit 4\\)$/reword\\1/'" ` +
			`GIT_EDITOR="sed -i '1s/.*/the fourth/'" git rebase -q -i HEAD~3 > out; git log --format=%s; cat f | tr '\\n' ' '; git status -s -uno`
	);
	expect(edited).toEqual({ lines: ['the fourth', 'commit 2', 'commit 1', '1 2 3 4'], exitCode: 0 });
	const stopped = await run(
		'git rebase -q --exec "grep -q 4 f" HEAD~1 && git rebase -q --exec false HEAD~1; echo $?; git rebase --abort; git status -sb -uno'
	);
	expect(stopped).toEqual({ lines: ['1', '## main'], exitCode: 0 });
	await sandbox.writeFile('/tmp/listed/.git/hooks/pre-commit', '#!/bin/sh\n! grep -q secret f\n');
	await sandbox.writeFile('/tmp/listed/.git/hooks/commit-msg', '#!/bin/sh\nsed -i "1s/^/[T-1] /" "$1"\n');
	const hooked = await run(
		'chmod +x .git/hooks/*; echo secret >> f; git commit -qam no; echo $?; git checkout -q f; echo 5 >> f; ' +
			"git commit -qam yes; git config alias.hi '!echo hi from'; git hi here; git log -1 --format=%s"
	);
	expect(hooked).toEqual({ lines: ['1', 'hi from here', '[T-1] yes'], exitCode: 0 });
});

it('rewrites history with filters of the shell', async () => {
	const run = (command: string) => sandbox.exec(`cd /tmp/filtered && ${command}`, { timeoutMs: 60_000 });
	await sandbox.exec('mkdir /tmp/filtered');
	await run(
		'git init -q -b main && mkdir lib && for i in 1 2 3; do echo $i > lib/f; echo $i > secret; git add -A; git commit -qm "c$i"; done; git tag v1'
	);
	const rewritten = await run(
		'git filter-branch --setup "count=0" --env-filter "GIT_AUTHOR_NAME=Ada" --tree-filter "rm secret; echo new > added" ' +
			`--msg-filter 'count=$((count + 1)); sed "s/$/ $count/"' --tag-name-filter 'sed "s/v/w/"' HEAD`
	);
	expect(rewritten.stdout).toMatch(
		/\rRewrite [0-9a-f]{40} \(3\/3\) .*\nRef 'refs\/heads\/main' was rewritten\nv1 -> w1 \(/
	);
	expect(rewritten).toMatchObject({ stderr: '', exitCode: 0 });
	expect((await run('git log --format="%an %s" --name-only w1; ls; git status -s')).stdout).toBe(
		'Ada c3 1\n\nlib/f\nAda c2 1\n\nlib/f\nAda c1 1\n\nadded\nlib/f\nadded\nlib\n'
	);
	await run(
		'git filter-branch -f --prune-empty --subdirectory-filter lib --commit-filter "git commit-tree \\"\\$@\\""'
	);
	await run('git filter-branch -f --subdirectory-filter lib main');
	expect((await run('git ls-files; git log --format=%s; ls -A .')).stdout).toBe('f\nc3 1\nc2 1\nc1 1\n.git\nf\n');
	expect(await run('git filter-branch -f --msg-filter false')).toMatchObject({ exitCode: 1 });
});

/** A program that serves commits and trees, and single files, over HTTP: what a partial clone asks for. */
const SERVER = `
const { spawnSync } = require('node:child_process');
const git = (args, input) => spawnSync('git', ['-C', '/tmp/part/src', ...args], { input }).stdout;
const line = (text) => (text.length + 4).toString(16).padStart(4, '0') + text;
const main = git(['rev-parse', 'main']).toString().trim();
const offer = 'side-band-64k filter symref=HEAD:refs/heads/main';
const refs = line(main + ' HEAD\\0' + offer + '\\n') + line(main + ' refs/heads/main\\n');
require('node:http').createServer((request, response) => {
	if (request.method === 'GET') return response.end(line('# service=git-upload-pack\\n') + '0000' + refs + '0000');
	const parts = [];
	request.on('data', (part) => parts.push(part)).on('end', () => {
		const wants = [...Buffer.concat(parts).toString().matchAll(/want ([0-9a-f]{40})/g)].map(([, id]) => id);
		const ids = git(['rev-list', '--objects', '--no-object-names', '--filter=blob:none', ...wants]);
		const pack = git(['pack-objects', '--stdout', '-q'], ids);
		const head = (pack.length + 5).toString(16).padStart(4, '0') + '\\x01';
		response.end(Buffer.concat([Buffer.from(line('NAK\\n') + head), pack, Buffer.from('0000')]));
	});
}).listen(8765, () => console.log('listens'));`;

it('clones a part from a server in the tab, and fetches the rest when it is read', async () => {
	const run = (command: string) => sandbox.exec(`cd /tmp/part && ${command}`, { timeoutMs: 50_000 });
	await sandbox.writeFile('/tmp/part/server.cjs', SERVER);
	const made =
		'git init -q src && cd src && for i in 1 2 3; do echo $i > f; git add f; git commit -qm "commit $i"; done && git tag v1 HEAD~2';
	expect(await run(made)).toMatchObject({ exitCode: 0 });
	const clone = 'git clone -q --filter=blob:none http://127.0.0.1:8765/src repo';
	const missing = 'git -C repo rev-list --objects --missing=print HEAD | grep -c "^?"';
	const steps = `${clone} && ${missing}; cd repo && git log -p --format=%s | grep "^[+c]" && git checkout -q HEAD~2 && cat f`;
	const read = await run(
		`: > listens; node server.cjs > listens & until grep -q listens /tmp/part/listens; do sleep 0.1; done; ${steps}; kill %1`
	);
	expect(read).toMatchObject({
		stdout: '2\ncommit 3\n+++ b/f\n+3\ncommit 2\n+++ b/f\n+2\ncommit 1\n+++ b/f\n+1\n1\n',
		stderr: ''
	});
});

it('clones, fetches and pushes through programs for ssh and ext::', async () => {
	const run = async (command: string) => {
		const { stdout, stderr, exitCode } = await sandbox.exec(`cd /tmp/served && ${command}`, { timeoutMs: 60_000 });
		return { lines: `${stdout}${stderr}`.trim().split('\n'), exitCode };
	};
	await sandbox.writeFile(
		'/tmp/served/ssh',
		'#!/bin/sh\necho "$*" >> /tmp/served/said; shift $(($# - 1)); eval "$1"\n'
	);
	await run(
		'chmod +x ssh; git init -q -b main source && cd source && echo 1 > f && git add f && git commit -qm one && git tag -a -m t t; cd ..; git clone -q --bare source far.git'
	);
	const cloned = await run(
		'export GIT_SSH_COMMAND=/tmp/served/ssh; git clone -q ada@host:/tmp/served/far.git near && cd near && ' +
			'head -c 200000 /dev/urandom > f && git commit -qam two && git push -q && git push -q origin HEAD:refs/heads/other && ' +
			'git push -q origin :other && git -C ../far.git log --format=%s main && git tag && git ls-remote --heads origin | wc -l'
	);
	expect(cloned).toEqual({ lines: ['two', 'one', 't', '1'], exitCode: 0 });
	expect(await run('sort -u said')).toMatchObject({
		lines: ["ada@host git-receive-pack '/tmp/served/far.git'", "ada@host git-upload-pack '/tmp/served/far.git'"]
	});
	const fetched = await run(
		"git -C source fetch -q 'ext::sh -c git% upload-pack% /tmp/served/far.git'; git -c protocol.ext.allow=user -C source pull -q 'ext::sh -c %S% /tmp/served/far.git' main; git -C source log --format=%s"
	);
	expect(fetched.lines).toEqual(['two', 'one', "fatal: transport 'ext' not allowed"]);
	const refused = await run('GIT_SSH_COMMAND=false git ls-remote host:far.git; git ls-remote host:far.git');
	expect(refused.exitCode).toBe(128);
	expect(refused.lines).toEqual([
		'fatal: Could not read from remote repository.',
		'',
		'Please make sure you have the correct access rights',
		'and the repository exists.',
		"fatal: 'host:far.git' cannot be reached from the sandbox: only http:// and https:// addresses and paths work here"
	]);
});
