import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startGitServer, type GitServer } from '#test/git-server.ts';
import { violations } from './axe.ts';
import { recordMessages } from './messages-sent.ts';
import { openWorld, type World } from './world.ts';

const TOKEN = 'gho_OfThisTestAndNoOther0123456789';
const CLIENT_ID = 'Iv1.0123456789abcdef';
let world: World;
let gitHub: GitServer;
const root = mkdtempSync(path.join(tmpdir(), 'sign-in-'));
/** Answers to the token requests, in order; the last one repeats. */
let answers: object[];

const reply = (response: ServerResponse, body: object): void =>
	void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

beforeAll(async () => {
	const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
	git('init', '-q', '-b', 'main', 'seed');
	git(
		'-C',
		'seed',
		'-c',
		'user.name=T',
		'-c',
		'user.email=t@example.org',
		'commit',
		'-q',
		'--allow-empty',
		'-m',
		'one'
	);
	git('clone', '-q', '--bare', 'seed', 'private.git');
	gitHub = await startGitServer(root, `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`, {
		api: ({ url, headers }, response) => {
			if (url !== '/login/device/code')
				return reply(response, (answers.length > 1 ? answers.shift() : answers[0]) ?? {});
			const address = `http://${headers.host}/login/device`;
			reply(response, {
				device_code: 'd-1',
				user_code: 'WDJB-MJHT',
				verification_uri: address,
				expires_in: 60,
				interval: 0.2
			});
		}
	});
	world = await openWorld({
		SANDGLASS_ALLOW_HOSTS: [gitHub.url, gitHub.url.replace('127.0.0.1', 'localhost')]
			.map((url) => new URL(url).host)
			.join(),
		SANDGLASS_GITHUB_URL: gitHub.url,
		SANDGLASS_GITHUB_CLIENT_ID: CLIENT_ID
	});
});
afterAll(async () => {
	await world.close();
	await gitHub.close();
	rmSync(root, { recursive: true });
});
beforeEach(() => {
	answers = [{ error: 'authorization_pending' }];
});

/** Opens a page whose git asks for a token; `clone` is the result. */
async function asking(address: string) {
	const { page, errors } = await world.newProfile();
	await page.addInitScript(recordMessages);
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'a\n' } }));
	const clone = page.evaluate(
		(url) => window.sandglass!.environment!.exec(`git clone ${url} work`, { timeoutMs: 60_000 }),
		address
	);
	await page.getByRole('group', { name: 'Network' }).getByRole('button', { name: 'Allow', exact: true }).click();
	const dialog = page.getByRole('dialog', { name: /^Sign in to/ });
	await dialog.waitFor();
	return { page, errors, clone, dialog };
}

const keptBy = (page: Page) =>
	page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie);

it('clones a private repository with a token of the device flow, which only the page knows', async () => {
	const { page, errors, clone, dialog } = await asking(`${gitHub.url}/private.git`);
	await dialog.getByRole('button', { name: 'Sign in with GitHub' }).click();
	await dialog.getByRole('status', { name: 'Code' }).getByText('WDJB-MJHT').waitFor();
	const link = dialog.getByRole('link', { name: 'Open GitHub' });
	expect(await link.getAttribute('href')).toBe(`${gitHub.url}/login/device`);
	expect(await violations(page)).toEqual([]);
	answers = [{ error: 'authorization_pending' }, { access_token: TOKEN, token_type: 'bearer', scope: 'repo' }];
	expect((await clone).exitCode).toBe(0);
	expect(await keptBy(page)).not.toContain(TOKEN);
	const messages = await page.evaluate(() => (window as unknown as { messagesSent: string[] }).messagesSent.join('\n'));
	expect(messages).toContain('git-upload-pack');
	expect(messages).not.toContain(TOKEN);
	expect(JSON.stringify(world.log)).not.toContain(TOKEN);
	expect(errors).toEqual([]);
});

it('says that the user did not allow it, and lets them go on without', async () => {
	const { clone, dialog } = await asking(`${gitHub.url}/private.git`);
	answers = [{ error: 'access_denied' }];
	await dialog.getByRole('button', { name: 'Sign in with GitHub' }).click();
	await dialog.getByText('You didn’t allow it on GitHub.').waitFor();
	answers = [{ error: 'authorization_pending' }];
	await dialog.getByRole('button', { name: 'Sign in with GitHub' }).click();
	await dialog.getByRole('button', { name: 'Continue without it' }).click();
	expect((await clone).exitCode).toBe(128);
});

it('is not offered for a repository of another host', async () => {
	const { clone, dialog } = await asking(`${gitHub.url.replace('127.0.0.1', 'localhost')}/private.git`);
	await dialog.getByLabel('Token or password').waitFor();
	expect(await dialog.getByRole('button', { name: 'Sign in with GitHub' }).count()).toBe(0);
	await dialog.getByRole('button', { name: 'Continue without it' }).click();
	expect((await clone).exitCode).toBe(128);
});
