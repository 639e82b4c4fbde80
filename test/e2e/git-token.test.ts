import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGitServer, type GitServer } from '#test/git-server.ts';
import { recordMessages } from './messages-sent.ts';
import { openWorld, type World } from './world.ts';

const TOKEN = 'ghp_OfThisTestAndNoOther0123456789';
const AUTHORIZATION = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;

let world: World;
let server: GitServer;
const root = mkdtempSync(path.join(tmpdir(), 'private-git-'));
const bare = path.join(root, 'private.git');
const other = path.join(root, 'other.git');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

beforeAll(async () => {
	git('init', '-q', '-b', 'main', 'seed');
	const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
	git('-C', 'seed', ...who, 'commit', '-q', '--allow-empty', '-m', 'first-of-the-private-one');
	for (const copy of [bare, other]) git('clone', '-q', '--bare', 'seed', copy);
	server = await startGitServer(root, AUTHORIZATION);
	world = await openWorld({ SANDGLASS_ALLOW_HOSTS: new URL(server.url).host });
});
afterAll(async () => {
	await world.close();
	await server.close();
	rmSync(root, { recursive: true });
});

it('pushes to a private repository with a token that only the page knows', async () => {
	const { page, errors } = await world.newProfile();
	await page.addInitScript(recordMessages);
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'a\n' } }));
	const run = (command: string) =>
		page.evaluate(async (command) => {
			const { stdout, stderr, exitCode } = await window.sandglass!.environment!.exec(command, { timeoutMs: 60_000 });
			return { stdout, stderr, exitCode };
		}, command);
	const dialog = page.getByRole('dialog', { name: /^Sign in to/ });

	const clone = run(`git clone ${server.url}/private.git work`);
	await page.getByRole('group', { name: 'Network' }).getByRole('button', { name: 'Allow', exact: true }).click();
	await dialog.getByLabel('Token or password').fill('not-the-token');
	await dialog.getByRole('button', { name: 'Use token' }).click();
	await dialog.getByText('The host didn’t accept it').waitFor();
	await dialog.getByLabel('Token or password').fill(TOKEN);
	await dialog.getByRole('button', { name: 'Use token' }).click();
	expect((await clone).exitCode).toBe(0);
	expect((await run('cd work && git log --format=%s')).stdout).toBe('first-of-the-private-one\n');
	await run('cd work && echo hello > hello.txt && git add hello.txt && git commit -qm "From the tab"');
	const pushing = run('cd work && git push origin main');
	const prompt = page.getByRole('group', { name: 'Network' });
	// The token was granted for reading; using it for a push, and what is pushed, are two further questions.
	await prompt.getByText(/git wants to use your token to prepare a push to .*\/private\.git\./).waitFor();
	await prompt.getByRole('radio', { name: 'This session' }).check();
	await prompt.getByRole('button', { name: 'Allow', exact: true }).click();
	await prompt.getByText(/git wants to push to .*\/private\.git\./).waitFor();
	const head = async (revision: string) => (await run(`cd work && git rev-parse ${revision}`)).stdout.slice(0, 10);
	await prompt.getByText(`main: ${await head('HEAD~1')} → ${await head('HEAD')}`).waitFor();
	expect(git('-C', bare, 'rev-list', '--count', 'main').trim()).toBe('1');
	await prompt.getByRole('button', { name: 'Push this' }).click();
	const push = await pushing;
	expect(push).toMatchObject({ exitCode: 0 });
	expect(push.stderr).toContain('main -> main');
	expect(execFileSync('git', ['log', '--format=%s', 'main'], { cwd: bare, encoding: 'utf8' })).toBe(
		'From the tab\nfirst-of-the-private-one\n'
	);
	expect(await dialog.count()).toBe(0);

	// The sandbox: its environment, its settings, every file in it, and every message sent to it.
	const encoded = AUTHORIZATION.slice('Basic '.length);
	const inside = await run(
		'env; cd work && git config --list; node -e "console.log(JSON.stringify(process.env))"; cat .git/config'
	);
	const messages = await page.evaluate(() => (window as unknown as { messagesSent: string[] }).messagesSent.join('\n'));
	// Last, since the command itself contains the token.
	const files = await run(
		`grep -rlaE '${TOKEN}|${encoded}' /workspace /home /tmp; grep -rlaF 'fetch = +refs' /workspace | wc -l`
	);
	for (const place of [inside.stdout + inside.stderr, messages]) {
		expect(place).not.toContain(TOKEN);
		expect(place).not.toContain(encoded);
	}
	// The searched messages are those that git received: they contain the server's answers.
	expect(messages).toContain('git-receive-pack');
	expect(messages).toContain('refs/heads/main');
	expect(files.stdout.trim()).toMatch(/^[1-9]\d*$/);
	// The page does not store it anywhere persistent either.
	const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie);
	expect(kept).not.toContain(TOKEN);
	expect(errors).toEqual([]);
});

it('says that authentication failed when the user goes on without a token', async () => {
	const { page } = await world.newProfile();
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'a\n' } }));
	const clone = page.evaluate(
		(url) => window.sandglass!.environment!.exec(`git clone ${url}/private.git`, { timeoutMs: 60_000 }),
		server.url
	);
	await page.getByRole('group', { name: 'Network' }).getByRole('button', { name: 'Allow', exact: true }).click();
	await page
		.getByRole('dialog', { name: /^Sign in to/ })
		.getByRole('button', { name: 'Continue without it' })
		.click();
	const { exitCode, stderr } = await clone;
	expect(exitCode).toBe(128);
	expect(stderr).toContain('Authentication failed');
});

it('uses no token for another repository of the host, nor for a push that the user refuses', async () => {
	const { page, errors } = await world.newProfile();
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'a\n' } }));
	const run = (command: string) =>
		page.evaluate((text) => window.sandglass!.environment!.exec(text, { timeoutMs: 60_000 }), command);
	const dialog = (name: string) => page.getByRole('dialog', { name: new RegExp(`^Sign in to .*/${name}$`) });
	const prompt = page.getByRole('group', { name: 'Network' });
	const cloning = run(`git clone ${server.url}/private.git work`);
	await prompt.getByRole('button', { name: 'Allow', exact: true }).click();
	await dialog('private.git').getByLabel('Token or password').fill(TOKEN);
	await dialog('private.git').getByRole('button', { name: 'Use token' }).click();
	expect((await cloning).exitCode).toBe(0);

	server.requests.length = 0;
	for (const address of [
		'other.git',
		'private.git/../other.git',
		'private.git/%2e%2e/other.git',
		'OTHER.git/../other.git'
	]) {
		const asked = run(`git clone ${server.url}/${address} elsewhere`);
		await dialog('other.git').getByRole('button', { name: 'Continue without it' }).click();
		expect((await asked).exitCode, address).toBe(128);
	}
	// The same folder under another name is another repository too.
	const doubled = run(`git clone ${server.url}/PRIVATE.git elsewhere`);
	await dialog('PRIVATE.git').getByRole('button', { name: 'Continue without it' }).click();
	expect((await doubled).exitCode).toBe(128);
	expect(server.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);

	const before = git('-C', bare, 'rev-parse', 'main');
	await run('cd work && git commit -q --allow-empty -m Unasked');
	const refusedEarly = run('cd work && git push origin main');
	await prompt.getByRole('button', { name: 'Deny' }).click();
	expect((await refusedEarly).exitCode).not.toBe(0);
	expect(server.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
	for (const [what, shown] of [
		['main:refs/heads/taken', /^taken: new, at [0-9a-f]{10}$/],
		[':refs/heads/main', /^main: deleted, was [0-9a-f]{10}$/]
	] as const) {
		const refusedLate = run(`cd work && git push origin ${what}`);
		await prompt.getByRole('button', { name: 'Allow', exact: true }).click();
		await prompt.getByText(shown).waitFor();
		await prompt.getByRole('button', { name: 'Do not push' }).click();
		expect((await refusedLate).exitCode).not.toBe(0);
	}
	expect(server.requests.filter(({ method, url }) => method === 'POST' && url.includes('receive-pack'))).toEqual([]);
	expect(git('-C', bare, 'rev-parse', 'main')).toBe(before);
	expect(errors).toEqual([]);
});
