import { execFileSync } from 'node:child_process';
import fs, { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import git, { type GitHttpRequest, type GitHttpResponse } from 'isomorphic-git';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { archiveThroughLedger } from '#page/egress/archive-fetch.ts';
import { followingRedirects } from '#page/egress/follow-redirects.ts';
import { forward } from '#page/egress/forward.ts';
import { EgressLedger } from '#page/egress/ledger.ts';
import type { EgressDecision, EgressQuestion } from '#page/egress/questions.ts';
import { GitTokens } from '#page/token/git-tokens.ts';
import { startServer, type RunningServer } from '#server/main.ts';
import { startGitServer, type GitServer } from '#test/git-server.ts';

const AUTHORIZATION = `Basic ${Buffer.from('x-access-token:right').toString('base64')}`;
const root = mkdtempSync(path.join(tmpdir(), 'git-permissions-'));
const run = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

let host: GitServer;
let redirecting: http.Server;
let moved: string;
/** Target of the redirect from {@link moved}. */
let destination = '';
const atMoved: string[] = [];
let server: RunningServer;

beforeAll(async () => {
	run('init', '-q', '-b', 'main', 'seed');
	run('-C', 'seed', '-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'first');
	for (const name of ['one.git', 'two.git']) run('clone', '-q', '--bare', 'seed', name);
	host = await startGitServer(root, AUTHORIZATION);
	redirecting = http.createServer((request, response) => {
		atMoved.push(`${request.method} ${request.url}`);
		request.resume();
		response.writeHead(307, { location: destination + (request.url ?? '') }).end();
	});
	await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
	const address = redirecting.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port.');
	moved = `http://127.0.0.1:${address.port}`;
	server = await startServer({
		runner: { html: '', headers: {} },
		pageDir: root,
		localServers: [],
		graceMs: 0,
		log: () => undefined,
		env: {
			PORT: '0',
			HOST: '127.0.0.1',
			SHARES_DIR: path.join(root, 'shares'),
			SANDGLASS_ALLOW_HOSTS: [host.url, moved].map((url) => new URL(url).host).join(','),
			SANDGLASS_ARCHIVE_HOSTS: `${new URL(moved).host}=gitea`
		}
	});
});
afterAll(async () => {
	await server.close();
	redirecting.close();
	await host.close();
	rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
	host.requests.length = 0;
	atMoved.length = 0;
});

/**
 * The page's side of the network with a user who answers with `decide`, and an isomorphic-git whose requests are a
 * program's.
 */
function page(decide: (question: EgressQuestion) => EgressDecision) {
	const asked: EgressQuestion[] = [];
	const tokensAsked: string[] = [];
	const tokens = new GitTokens(async (repository, _refused, use) => {
		tokensAsked.push(`${use} ${new URL(repository).pathname}`);
		return { user: 'x-access-token', token: 'right' };
	});
	const send = (request: WireRequest): Promise<WireResponse> =>
		forward(request, {
			serverUrl: server.url,
			npmRegistry: 'https://registry.npmjs.org/',
			tokens,
			permitPushToken: (repository) => ledger.permitPushToken(repository)
		});
	const ledger = new EgressLedger(send, async () => ({
		ownHost: new URL(server.url).host,
		allowedPrivate: [host.url, moved].map((url) => new URL(url).host)
	}));
	ledger.onChange(() => {
		for (const question of ledger.questions) {
			if (asked.includes(question)) continue;
			asked.push(question);
			ledger.decide(question.id, decide(question));
		}
	});
	const request = followingRedirects(ledger);
	const client = {
		async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
			const parts: Uint8Array[] = [];
			if (body) for await (const part of body) parts.push(part);
			const answer = await request({
				method,
				url,
				headers: Object.entries(headers),
				body: parts.length > 0 ? new Uint8Array(Buffer.concat(parts)) : null,
				purpose: 'git'
			});
			const { status: statusCode, statusText: statusMessage } = answer;
			const bytes = (async function* () {
				yield answer.body;
			})();
			return {
				url: answer.url,
				method,
				headers: Object.fromEntries(answer.headers),
				statusCode,
				statusMessage,
				body: bytes
			};
		}
	};
	return { asked, tokensAsked, tokens, ledger, request, client };
}

/** A clone of a repository with one additional commit, made by the real git. */
async function cloneWithCommit(name: string): Promise<{ dir: string; before: string; after: string }> {
	const dir = mkdtempSync(path.join(root, 'work-'));
	run('clone', '-q', path.join(root, name), dir);
	run('-C', dir, '-c', 'user.name=T', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'next');
	return { dir, before: run('-C', dir, 'rev-parse', 'HEAD~1'), after: run('-C', dir, 'rev-parse', 'HEAD') };
}

const tip = (name: string, ref = 'main') => run('-C', name, 'rev-parse', ref);
const withToken = () =>
	host.requests.filter(({ headers }) => headers.authorization !== undefined).map(({ url }) => url);
const list = (url: string, service = 'git-upload-pack', purpose = 'git') => ({
	method: 'GET',
	url: `${url}/info/refs?service=${service}`,
	headers: [],
	body: null,
	purpose
});

describe('a token', () => {
	it('that was given for one repository is used for no other of the host, and for no push', async () => {
		const { ledger, asked, tokensAsked, tokens } = page(({ kind }) => (kind === 'host' ? 'session' : 'deny'));
		expect((await ledger.request(list(`${host.url}/one.git`))).status).toBe(200);
		expect(tokensAsked).toEqual(['read /one.git']);
		host.requests.length = 0;
		for (const path of ['two.git', 'one.git/../two.git', 'one.git/%2e%2e/two.git', 'ONE.git', 'one', 'one.git/x'])
			await ledger.request(list(`${host.url}/${path}`));
		// Each was requested separately; none was answered with an earlier one.
		expect(tokensAsked.slice(1)).toEqual(['read /two.git', 'read /ONE.git', 'read /one', 'read /one.git/x']);
		expect(tokens.authorization(`${host.url}/one.git`)).toBe(AUTHORIZATION);
		host.requests.length = 0;
		for (const path of ['one.git/..%2ftwo.git', 'one.git//', 'one.git%00'])
			await ledger.request(list(`${host.url}/${path}`));
		for (const purpose of ['fetch', 'curl', 'npm'])
			await ledger.request(list(`${host.url}/one.git`, undefined, purpose));
		expect(withToken()).toEqual([]);

		host.requests.length = 0;
		await expect(ledger.request(list(`${host.url}/one.git`, 'git-receive-pack'))).rejects.toThrow('not allowed');
		expect(asked.at(-1)).toMatchObject({ kind: 'push-token', repository: `${host.url}/one.git` });
		expect(host.requests).toEqual([]);
		expect(ledger.entries.at(-1)?.outcome).toBe('refused');
	});

	it('stays behind where its repository redirects to another one', async () => {
		destination = host.url;
		const { tokens, client, asked } = page(() => 'session');
		await tokens.renew(`${moved}/one.git`, undefined, 'read');
		const fetching = git.listServerRefs({ http: client, url: `${moved}/one.git`, protocolVersion: 1 });
		expect((await fetching).map(({ ref }) => ref)).toContain('refs/heads/main');
		expect(asked.flatMap((question) => (question.kind === 'host' ? [question.host] : []))).toEqual([
			new URL(moved).host,
			new URL(host.url).host
		]);
		expect(host.requests[0]?.headers.authorization).toBeUndefined();
	});
});

describe('a push of a program', () => {
	it('asks each time with the repository and what it changes, and sends nothing before', async () => {
		const { dir, before, after } = await cloneWithCommit('one.git');
		const { client, asked, ledger } = page((question) => {
			if (question.kind === 'push') expect(tip('one.git')).toBe(before);
			return 'once';
		});
		const push = (ref: string) =>
			git.push({ fs, http: client, dir, url: `${host.url}/one.git`, ref: 'main', remoteRef: ref });
		expect((await push('refs/heads/main')).ok).toBe(true);
		expect(tip('one.git')).toBe(after);
		expect(asked.at(-1)).toMatchObject({
			kind: 'push',
			repository: `${host.url}/one.git`,
			updates: [{ ref: 'refs/heads/main', before, after }]
		});
		expect(asked.at(-1)).toMatchObject({ bytes: ledger.entries.at(-1)?.sentBytes });
		const questions = asked.filter(({ kind }) => kind === 'push').length;
		await push('refs/heads/second').catch(() => undefined);
		expect(asked.filter(({ kind }) => kind === 'push')).toHaveLength(questions + 1);
	});

	it('changes nothing when it is denied', async () => {
		const { dir, before } = await cloneWithCommit('two.git');
		const { client } = page(({ kind }) => (kind === 'push' ? 'deny' : 'session'));
		const pushing = git.push({ fs, http: client, dir, url: `${host.url}/two.git`, ref: 'main' });
		await expect(pushing).rejects.toThrow('was not allowed');
		expect(tip('two.git')).toBe(before);
		expect(host.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	});

	it('is let through once where the user ordered just that', async () => {
		const { dir, after } = await cloneWithCommit('two.git');
		const { client, asked, ledger } = page(({ kind }) => (kind === 'host' ? 'session' : 'deny'));
		const push = (remoteRef: string) =>
			git.push({ fs, http: client, dir, url: `${host.url}/two.git`, ref: 'main', remoteRef });
		const repository = `${host.url}/two.git`;
		ledger.expectPush({ repository, ref: 'refs/heads/ordered', commit: after });
		await expect(push('refs/heads/main')).rejects.toThrow('was not allowed');
		expect(asked.at(-1)).toMatchObject({ kind: 'push', updates: [{ ref: 'refs/heads/main' }] });
		expect((await push('refs/heads/ordered')).ok).toBe(true);
		expect(tip('two.git', 'ordered')).toBe(after);
		run('-C', 'two.git', 'branch', '-D', 'ordered');
		await expect(push('refs/heads/ordered')).rejects.toThrow('was not allowed');
		const withdraw = ledger.expectPush({ repository, ref: 'refs/heads/ordered', commit: after });
		withdraw();
		await expect(push('refs/heads/ordered')).rejects.toThrow('was not allowed');
	});

	it.each<[string, Partial<WireRequest>]>([
		['under another purpose', { purpose: 'curl' }],
		['by an encoded path', { url: '/two.git/git%2Dreceive-pack' }],
		['in another case', { url: '/two.git/GIT-RECEIVE-PACK' }],
		['with a query', { url: '/two.git/git-receive-pack?x' }],
		['compressed', { headers: [['Content-Encoding', 'gzip']] }],
		['by another method', { method: 'PUT' }]
	])('is not sent unasked %s', async (_how, trick) => {
		const { ledger } = page(({ kind }) => (kind === 'host' ? 'session' : 'deny'));
		const update = `${tip('two.git')} ${'0'.repeat(40)} refs/heads/main\0`;
		const body = new TextEncoder().encode(`${(update.length + 4).toString(16).padStart(4, '0')}${update}0000`);
		const sending = ledger.request({
			method: 'POST',
			headers: [],
			body,
			purpose: 'git',
			...trick,
			url: host.url + (trick.url ?? '/two.git/git-receive-pack')
		});
		await expect(sending).rejects.toMatchObject({ code: 'ECONNREFUSED' });
		expect(host.requests).toEqual([]);
	});
});

describe('a redirect', () => {
	const hosts = (asked: readonly EgressQuestion[]) =>
		asked.flatMap((question) => (question.kind === 'host' ? [question.host] : []));

	it('of git is a line of its own, and reaches no host that was denied', async () => {
		destination = host.url;
		const elsewhere = new URL(host.url).host;
		const { request, ledger, asked } = page((question) => (question.host === elsewhere ? 'deny' : 'session'));
		await expect(request(list(`${moved}/one.git`))).rejects.toThrow(`${elsewhere} was not allowed`);
		expect(hosts(asked)).toEqual([new URL(moved).host, elsewhere]);
		expect(ledger.entries.map(({ host: named, outcome, status }) => [named, outcome, status])).toEqual([
			[new URL(moved).host, 'done', 307],
			[elsewhere, 'refused', undefined]
		]);
		expect(host.requests).toEqual([]);
	});

	it('of a body is never followed', async () => {
		destination = host.url;
		const { request, ledger } = page(() => 'session');
		const body = new TextEncoder().encode('0000');
		const headers: [string, string][] = [];
		const url = `${moved}/one.git/git-upload-pack`;
		const answer = await request({ method: 'POST', url, headers, body, purpose: 'git' });
		expect(answer.status).toBe(307);
		expect(atMoved).toEqual(['POST /one.git/git-upload-pack']);
		expect(host.requests).toEqual([]);
		expect(ledger.entries).toHaveLength(1);
	});

	it('of an npm package is asked about, and one without end is given up', async () => {
		destination = moved;
		const { request, ledger } = page(() => 'session');
		const url = `${moved}/pack/-/pack-1.0.0.tgz`;
		const answer = await request({ method: 'GET', url, headers: [], body: null, purpose: 'npm' });
		expect(answer.status).toBe(307);
		expect(ledger.entries).toHaveLength(6);
	});

	it('of an archive is asked about, gets no token, and reaches no host that was denied', async () => {
		destination = `${host.url}/kept`;
		const elsewhere = new URL(host.url).host;
		const address = `${server.url}/api/archive?url=${moved}/o/r&ref=main`;
		const headers = { Authorization: 'Bearer secret' };
		const denying = page(() => 'deny');
		const refused = await archiveThroughLedger(denying.ledger, fetch)(address, { headers });
		expect([refused.status, host.requests.length]).toEqual([403, 0]);
		expect(hosts(denying.asked)).toEqual([elsewhere]);
		const allowing = page(() => 'once');
		const answer = await archiveThroughLedger(allowing.ledger, fetch)(address, { headers });
		expect(answer.status).toBe(401); // the host's own
		expect(host.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
			['/kept/o/r/archive/main.tar.gz', undefined]
		]);
		expect(allowing.ledger.entries.map(({ purpose, host: named }) => [purpose, named])).toEqual([
			['import', new URL(moved).host],
			['import', elsewhere]
		]);
	});
});
