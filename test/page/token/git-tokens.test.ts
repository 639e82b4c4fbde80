import { describe, expect, it } from 'vitest';
import { forward } from '#page/egress/forward.ts';
import { GitTokens, type GitCredentials } from '#page/token/git-tokens.ts';

const HOST = 'https://git.example.org';
const REPOSITORY = `${HOST}/repo.git`;
const RIGHT = `Basic ${btoa('x-access-token:right')}`;

/** A proxy route that accepts one `Authorization`, and the requests it received. */
function privateServer() {
	const seen: { url: string; authorization: string | null }[] = [];
	const fetch = async (url: URL | RequestInfo, init?: RequestInit) => {
		const authorization = new Headers(init?.headers).get('authorization');
		seen.push({ url: String(url), authorization });
		return new Response('refs', { status: authorization === RIGHT ? 200 : 401 });
	};
	return { seen, fetch };
}

const request = (url: string, purpose = 'git') => ({ method: 'GET', url, headers: [], body: null, purpose });
const LISTING = `${REPOSITORY}/info/refs?service=git-upload-pack`;

function answering(...answers: (GitCredentials | null)[]) {
	const questions: [string, boolean][] = [];
	const tokens = new GitTokens(async (repository, refused) => {
		questions.push([repository, refused]);
		return answers.shift() ?? null;
	});
	return { tokens, questions };
}

const doors = (tokens: GitTokens, fetch: typeof globalThis.fetch) => ({
	serverUrl: 'https://sandglass.example',
	npmRegistry: 'https://registry.npmjs.org/',
	tokens,
	fetch
});
const given = (token: string): GitCredentials => ({ user: 'x-access-token', token });

describe('the token of a repository', () => {
	it('is asked for when the server wants one, asked for again when it is wrong, and kept for the next request', async () => {
		const { seen, fetch } = privateServer();
		const { tokens, questions } = answering(given('wrong'), given('right'));
		expect((await forward(request(LISTING), doors(tokens, fetch))).status).toBe(200);
		expect((await forward(request(LISTING), doors(tokens, fetch))).status).toBe(200);
		expect(questions).toEqual([
			[REPOSITORY, false],
			[REPOSITORY, true]
		]);
		expect(seen.map(({ authorization }) => authorization)).toEqual([
			null,
			`Basic ${btoa('x-access-token:wrong')}`,
			RIGHT,
			RIGHT
		]);
	});

	it('goes to that repository only, by that scheme only, and only with git’s own requests', async () => {
		const { seen, fetch } = privateServer();
		const { tokens } = answering(given('right'));
		await forward(request(LISTING), doors(tokens, fetch));
		seen.length = 0;
		const elsewhere = [
			LISTING.replace('https:', 'http:'),
			LISTING.replace('git.example', 'evil.example'),
			LISTING.replace('example.org', 'example.org:8443'),
			LISTING.replace('repo.git', 'other.git'),
			LISTING.replace('repo.git', 'repo')
		];
		for (const url of elsewhere) await forward(request(url), doors(tokens, fetch));
		for (const purpose of ['fetch', 'npm']) {
			await forward(request(LISTING, purpose), doors(tokens, fetch)).catch(() => undefined);
		}
		await forward(request(`${HOST}/api/v1/user`), doors(tokens, fetch)).catch(() => undefined);
		expect(seen).toHaveLength(8);
		expect(seen.filter(({ authorization }) => authorization !== null)).toEqual([]);
	});

	it('is one question for requests that come together, and none for who goes on without', async () => {
		const { fetch } = privateServer();
		const one = answering(given('right'));
		const both = await Promise.all([LISTING, LISTING].map((url) => forward(request(url), doors(one.tokens, fetch))));
		expect(both.map(({ status }) => status)).toEqual([200, 200]);
		expect(one.questions).toHaveLength(1);
		const none = answering(null);
		expect((await forward(request(LISTING), doors(none.tokens, fetch))).status).toBe(401);
	});

	it('is forgotten with the project', async () => {
		const { fetch } = privateServer();
		const { tokens } = answering(given('right'));
		await forward(request(LISTING), doors(tokens, fetch));
		tokens.clear();
		expect(tokens.authorization(REPOSITORY)).toBeUndefined();
	});
});
