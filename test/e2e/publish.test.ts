import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGitServer, type GitServer } from '#test/git-server.ts';
import { violations } from './axe.ts';
import { recordMessages } from './messages-sent.ts';
import { openWorld, type World } from './world.ts';

const TOKEN = 'gta_OfThisTestAndNoOther0123456789';
const AUTHORIZATION = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;

let world: World;
let host: GitServer;
let page: Page;
let errors: string[];
/** Requests to the host's API, which is that of a Gitea. */
const asked: { method: string; url: string; authorization: string; body: string }[] = [];
const open = new Set<string>();
const root = mkdtempSync(path.join(tmpdir(), 'git-host-'));
const bare = path.join(root, 'owner/repo');
const git = (cwd: string, ...args: string[]) =>
	execFileSync('git', ['-c', 'user.name=Host', '-c', 'user.email=host@example.org', ...args], {
		cwd,
		encoding: 'utf8'
	});

beforeAll(async () => {
	git(root, 'init', '-q', '-b', 'main', 'seed');
	const seed = path.join(root, 'seed');
	for (const name of ['a.txt', 'gone.txt', 'theirs.txt']) writeFileSync(path.join(seed, name), `${name}\n`);
	git(seed, 'add', '-A');
	git(seed, 'commit', '-q', '-m', 'The first of the host');
	git(root, 'clone', '-q', '--bare', 'seed', bare);
	git(bare, 'branch', 'taken');
	const hook = '#!/bin/sh\ncase "$1" in refs/heads/locked*) echo "protected branch"; exit 1;; esac\n';
	writeFileSync(path.join(bare, 'hooks/update'), hook, { mode: 0o755 });
	host = await startGitServer(root, AUTHORIZATION, {
		publicReads: true,
		async api(request, response) {
			const body = await text(request);
			const { method = '', url = '', headers } = request;
			asked.push({ method, url, authorization: headers.authorization ?? '', body });
			const answer = (status: number, said: object) =>
				response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
			const link = { html_url: `${host.url}/owner/repo/pulls/7` };
			if (method === 'GET') return answer(200, link);
			const { head, base } = JSON.parse(body) as { head: string; base: string };
			if (open.has(head)) return answer(409, { message: 'pull request already exists for these targets' });
			if (base === 'nowhere') return answer(403, { message: 'token lacks the scope' });
			open.add(head);
			answer(201, link);
		}
	});
	const allowed = new URL(host.url).host;
	world = await openWorld({ SANDGLASS_ALLOW_HOSTS: allowed, SANDGLASS_ARCHIVE_HOSTS: `${allowed}=gitea` });
	({ page, errors } = await world.newProfile());
	await page.addInitScript(recordMessages);
	await page.goto(world.url);
	await page.evaluate((url) => window.sandglass!.importRepository({ url, ref: 'main' }), `${host.url}/owner/repo`);
	await machine('echo more >> a.txt; rm gone.txt; mkdir src; echo new > "src/it\'s new.txt"; chmod +x src/*');
	// Meanwhile the host's repository changes.
	writeFileSync(path.join(seed, 'theirs.txt'), 'theirs.txt\nof the host\n');
	git(seed, 'commit', '-q', '-a', '-m', 'The second of the host');
	git(seed, 'push', '-q', bare, 'main');
	await page.getByRole('tab', { name: 'Changes' }).click();
	await page.getByRole('button', { name: 'Push…' }).click();
	await dialog().getByLabel('The host is').selectOption('Gitea or Forgejo');
});
afterAll(async () => {
	await world.close();
	await host.close();
	rmSync(root, { recursive: true });
});

const dialog = () => page.getByRole('dialog', { name: 'Push a branch and open a pull request' });
const machine = (command: string) =>
	page.evaluate(async (line) => (await window.sandglass!.environment!.exec(line)).stdout, command);
const push = async (branch: string): Promise<void> => {
	await dialog().getByLabel('Branch', { exact: true }).fill(branch);
	await dialog().getByRole('button', { name: 'Push and open' }).click();
};

it('pushes what changed onto the host’s own history and opens a pull request, with a token that only the page knows', async () => {
	expect(await violations(page)).toEqual([]);
	await dialog().getByLabel('Title').fill('Say more');
	await dialog().getByLabel('Description').fill('Because less was not enough.');
	await dialog().getByLabel('Author', { exact: true }).fill('Ada');
	await dialog().getByLabel('E-mail of the author').fill('ada@example.org');
	await push('fix/more');
	const token = page.getByRole('dialog', { name: /^Sign in to/ });
	await token.getByLabel('Token or password').fill(TOKEN);
	await token.getByRole('button', { name: 'Use token' }).click();
	await dialog().getByText('The pull request is open:').waitFor();
	expect(await dialog().getByRole('link').getAttribute('href')).toBe(`${host.url}/owner/repo/pulls/7`);

	expect(git(bare, 'log', '--format=%an <%ae> %B', 'fix/more')).toBe(
		'Ada <ada@example.org> Say more\n\nBecause less was not enough.\n\n' +
			'Host <host@example.org> The second of the host\n\nHost <host@example.org> The first of the host\n\n'
	);
	expect(git(bare, 'diff', '--name-status', '--no-renames', 'main', 'fix/more')).toBe(
		"M\ta.txt\nD\tgone.txt\nA\tsrc/it's new.txt\n"
	);
	expect(git(bare, 'ls-tree', 'fix/more', 'src/')).toMatch(/^100755 blob /);
	expect(asked).toHaveLength(1);
	expect(asked[0]).toMatchObject({
		method: 'POST',
		url: '/api/v1/repos/owner/repo/pulls',
		authorization: `token ${TOKEN}`
	});
	expect(JSON.parse(asked[0]!.body)).toMatchObject({ head: 'fix/more', base: 'main', title: 'Say more' });

	// The sandbox received the push, but no token.
	const messages = await page.evaluate(() => (window as unknown as { messagesSent: string[] }).messagesSent.join('\n'));
	expect(messages).toContain('git-receive-pack');
	expect(messages).not.toContain(TOKEN);
	expect(messages).not.toContain(AUTHORIZATION.slice('Basic '.length));
	// The project is unchanged.
	expect(await machine('git log --format=%s; git branch --format="%(refname:short)"; ls /tmp | grep -c publish')).toBe(
		'Imported\nmain\n0\n'
	);
});

it('adds a commit to the branch and finds the pull request when there is more', async () => {
	await machine('echo still more >> a.txt');
	await push('fix/more');
	await dialog().getByText('The pull request was already open').waitFor();
	expect(git(bare, 'show', 'fix/more:a.txt')).toBe('a.txt\nmore\nstill more\n');
	expect(git(bare, 'rev-list', '--count', 'fix/more').trim()).toBe('4');
});

it('says what to do when the host refuses', async () => {
	const alert = dialog().getByRole('alert');
	for (const [branch, sentence] of [
		['taken', 'The host already has a branch with this name. Choose another name'],
		['locked/it', 'The host protects this branch. Choose another name'],
		['two..dots', 'This isn’t a valid branch name. Use letters']
	] as const) {
		await push(branch);
		await alert.filter({ hasText: sentence }).waitFor();
	}
	git(bare, 'branch', 'nowhere', 'main');
	await dialog().getByLabel('Into').fill('nowhere');
	await push('fix/scope');
	await alert.filter({ hasText: 'The branch is pushed, but this token can’t open pull requests.' }).waitFor();
	await alert.filter({ hasText: 'token lacks the scope' }).waitFor();
	await machine('echo mine >> theirs.txt');
	await dialog().getByLabel('Into').fill('main');
	await push('fix/clash');
	await alert.filter({ hasText: 'The branch changed in the same files' }).waitFor();
	await alert.filter({ hasText: 'theirs.txt' }).waitFor();
});

it('pushes a built site as the whole of a Pages branch', async () => {
	await dialog().getByRole('button', { name: 'Close' }).click();
	await machine('mkdir -p dist/a; echo page > dist/index.html; echo more > dist/a/b.js; echo secret > dist/.env');
	await page.getByRole('button', { name: 'Publish site…' }).click();
	const sites = page.getByRole('dialog', { name: 'Publish site' });
	await sites.getByRole('combobox', { name: 'Folder' }).waitFor();
	expect(await violations(page)).toEqual([]);
	const saved = page.waitForEvent('download');
	await sites.getByRole('button', { name: 'Download zip' }).click();
	expect((await saved).suggestedFilename()).toMatch(/-site\.zip$/);
	await sites.getByRole('button', { name: 'Push site' }).click();
	await sites.getByText('Pushed the site to the branch gh-pages.').waitFor();
	expect(git(bare, 'ls-tree', '-r', '--name-only', 'gh-pages')).toBe('.nojekyll\na/b.js\nindex.html\n');
	expect(git(bare, 'log', '--format=%an %s', 'gh-pages')).toBe('Ada Publish site\n');
	expect(errors).toEqual([]);
});
