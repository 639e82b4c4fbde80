import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGitServer, type GitServer } from '../git-server.ts';
import { recordMessages } from './messages-sent.ts';
import { openWorld, type World } from './world.ts';

const TOKEN = 'ghp_OfThisTestAndNoOther0123456789';
const AUTHORIZATION = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;

let world: World;
let server: GitServer;
const root = mkdtempSync(path.join(tmpdir(), 'private-git-'));
const bare = path.join(root, 'private.git');

beforeAll(async () => {
	const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
	git('init', '-q', '-b', 'main', 'seed');
	const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
	git('-C', 'seed', ...who, 'commit', '-q', '--allow-empty', '-m', 'first-of-the-private-one');
	git('clone', '-q', '--bare', 'seed', bare);
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
	const dialog = page.getByRole('dialog', { name: /asks for a token/ });

	const clone = run(`git clone ${server.url}/private.git work`);
	await page.getByRole('group', { name: 'Network' }).getByRole('button', { name: 'Allow this host' }).click();
	await dialog.getByLabel('Token or password').fill('not-the-token');
	await dialog.getByRole('button', { name: 'Use token' }).click();
	await dialog.getByText('The server did not accept that').waitFor();
	await dialog.getByLabel('Token or password').fill(TOKEN);
	await dialog.getByRole('button', { name: 'Use token' }).click();
	expect((await clone).exitCode).toBe(0);
	expect((await run('cd work && git log --format=%s')).stdout).toBe('first-of-the-private-one\n');
	const push = await run(
		'cd work && echo hello > hello.txt && git add hello.txt && git commit -qm "From the tab" && git push origin main'
	);
	expect(push).toMatchObject({ exitCode: 0 });
	expect(push.stderr).toContain('main -> main');
	expect(execFileSync('git', ['log', '--format=%s', 'main'], { cwd: bare, encoding: 'utf8' })).toBe(
		'From the tab\nfirst-of-the-private-one\n'
	);
	expect(await dialog.count()).toBe(0);

	// The sandbox: its environment, its settings, every file of it, and every message that went in.
	const encoded = AUTHORIZATION.slice('Basic '.length);
	const inside = await run(
		'env; cd work && git config --list; node -e "console.log(JSON.stringify(process.env))"; cat .git/config'
	);
	const messages = await page.evaluate(() => (window as unknown as { messagesSent: string[] }).messagesSent.join('\n'));
	// Last, since the command itself has the token in it.
	const files = await run(
		`grep -rlaE '${TOKEN}|${encoded}' /workspace /home /tmp; grep -rlaF 'fetch = +refs' /workspace | wc -l`
	);
	for (const place of [inside.stdout + inside.stderr, messages]) {
		expect(place).not.toContain(TOKEN);
		expect(place).not.toContain(encoded);
	}
	// What was looked through is what git got: the server's answers are in it.
	expect(messages).toContain('git-receive-pack');
	expect(messages).toContain('refs/heads/main');
	expect(files.stdout.trim()).toMatch(/^[1-9]\d*$/);
	// Neither does the page keep it where it would outlive it.
	const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie);
	expect(kept).not.toContain(TOKEN);
	expect(errors).toEqual([]);
});

it('says that authentication failed when the person goes on without a token', async () => {
	const { page } = await world.newProfile();
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'a\n' } }));
	const clone = page.evaluate(
		(url) => window.sandglass!.environment!.exec(`git clone ${url}/private.git`, { timeoutMs: 60_000 }),
		server.url
	);
	await page.getByRole('group', { name: 'Network' }).getByRole('button', { name: 'Allow this host' }).click();
	await page
		.getByRole('dialog', { name: /asks for a token/ })
		.getByRole('button', { name: 'Go on without' })
		.click();
	const { exitCode, stderr } = await clone;
	expect(exitCode).toBe(128);
	expect(stderr).toContain('Authentication failed');
});
