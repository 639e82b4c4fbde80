import { describe, expect, it } from 'vitest';
import type { ApiAnswer, ApiRequest } from '#workspace/publish/hosts/host-api.ts';
import { authorizationFor, openPullRequest } from '#workspace/publish/pull-request.ts';
import { isBranchName } from '#workspace/repository/branches.ts';
import { hostedRepository, likelyKind } from '#workspace/publish/repository-host.ts';

const wanted = (address: string) => ({
	repository: hostedRepository(address)!,
	branch: 'fix/more',
	target: 'main',
	title: 'Say more',
	description: 'Why.'
});

/** A host that returns these answers in turn, and records the requests. */
function host(...answers: ApiAnswer[]) {
	const asked: ApiRequest[] = [];
	const ask = async (request: ApiRequest): Promise<ApiAnswer> => {
		asked.push(request);
		return answers[asked.length - 1] ?? { status: 500, body: '' };
	};
	return { asked, ask };
}

describe('a pull request', () => {
	it('is opened as each host wants it', async () => {
		const github = host({ status: 201, body: { html_url: 'https://github.com/o/r/pull/1' } });
		expect(await openPullRequest('github', wanted('https://github.com/o/r.git'), github.ask)).toEqual({
			url: 'https://github.com/o/r/pull/1',
			existed: false
		});
		expect(github.asked[0]).toMatchObject({
			method: 'POST',
			url: 'https://api.github.com/repos/o/r/pulls',
			body: { title: 'Say more', body: 'Why.', head: 'fix/more', base: 'main' }
		});
		const gitlab = host({ status: 200, body: { web_url: 'https://gitlab.com/g/s/r/-/merge_requests/2' } });
		await openPullRequest('gitlab', wanted('https://gitlab.com/g/s/r'), gitlab.ask);
		expect(gitlab.asked[0]).toMatchObject({
			url: 'https://gitlab.com/api/v4/projects/g%2Fs%2Fr/merge_requests',
			body: { title: 'Say more', description: 'Why.', source_branch: 'fix/more', target_branch: 'main' }
		});
		const enterprise = host({ status: 201, body: { html_url: 'https://git.example.org/o/r/pull/3' } });
		await openPullRequest('github', wanted('https://git.example.org/o/r'), enterprise.ask);
		expect(enterprise.asked[0]?.url).toBe('https://git.example.org/api/v3/repos/o/r/pulls');
	});

	it('that is open already is found', async () => {
		const exists = { status: 422, body: { errors: [{ message: 'A pull request already exists for o:fix/more.' }] } };
		const github = host(exists, { status: 200, body: [{ html_url: 'https://github.com/o/r/pull/1' }] });
		expect(await openPullRequest('github', wanted('https://github.com/o/r'), github.ask)).toMatchObject({
			existed: true
		});
		expect(github.asked[1]?.url).toContain('?state=open&head=o%3Afix%2Fmore');
		const gitlab = host(
			{ status: 409, body: { message: ['Another open merge request already exists for this source branch: !2'] } },
			{ status: 200, body: [{ web_url: 'https://gitlab.com/o/r/-/merge_requests/2' }] }
		);
		expect(await openPullRequest('gitlab', wanted('https://gitlab.com/o/r'), gitlab.ask)).toMatchObject({
			existed: true
		});
	});

	it('that is refused says why, and a link that is none is not one', async () => {
		const cases: [ApiAnswer, string][] = [
			[
				{ status: 422, body: { errors: [{ message: 'No commits between main and fix/more' }] } },
				'request_no_difference'
			],
			[{ status: 403, body: { message: 'Resource not accessible by personal access token' } }, 'request_no_access'],
			[{ status: 404, body: { message: 'Not Found' } }, 'request_not_found'],
			[{ status: 502, body: '<html>' }, 'request_refused'],
			[{ status: 201, body: { html_url: 'javascript:alert(1)' } }, 'request_refused']
		];
		for (const [answer, code] of cases) {
			const { ask } = host(answer);
			await expect(openPullRequest('github', wanted('https://github.com/o/r'), ask)).rejects.toMatchObject({ code });
		}
	});
});

it('a refusal has the host’s own words, as many as can be shown', async () => {
	const refused = async (...answers: ApiAnswer[]) => {
		const { ask } = host(...answers);
		const error: unknown = await openPullRequest('github', wanted('https://github.com/o/r'), ask).catch(
			(e: unknown) => e
		);
		return (error as { detail: string }).detail;
	};
	expect(await refused({ status: 500, body: 'down' })).toBe('500: down');
	expect(await refused({ status: 500, body: '' })).toBe('500');
	expect(await refused({ status: 422, body: { message: 'no' } })).toBe('422: {"message":"no"}');
	expect(await refused({ status: 500, body: 'x'.repeat(400) })).toBe(`500: ${'x'.repeat(300)}`);
	// It exists, but cannot be found: the first error is reported.
	const { ask } = host({ status: 422, body: 'already exists' }, { status: 200, body: [] });
	await expect(openPullRequest('github', wanted('https://github.com/o/r'), ask)).rejects.toMatchObject({
		code: 'request_refused'
	});
	expect(await refused({ status: 422, body: 'already exists' }, { status: 200, body: [] })).toBe('422: already exists');
	for (const status of [199, 300])
		expect(await refused({ status, body: { html_url: 'https://github.com/o/r/pull/1' } })).toContain(`${status}: `);
});

it('is asked for with the user’s token as each host takes it', () => {
	const kinds = ['github', 'gitlab', 'gitea'] as const;
	expect(kinds.map((kind) => authorizationFor(kind, 't'))).toEqual(['Bearer t', 'Bearer t', 'token t']);
});

it('a host’s kind is known from its name, where that says it', () => {
	expect(
		['github.com', 'gitlab.example.org', 'codeberg.org', 'forgejo.dev', 'git.example.org'].map(likelyKind)
	).toEqual(['github', 'gitlab', 'gitea', 'gitea', 'none']);
	expect(hostedRepository('git@github.com:o/r')).toBeNull();
});

it('names of branches are those git takes', () => {
	expect(['fix/more', 'a.b', 'ünï'].every(isBranchName)).toBe(true);
	expect(
		['', '@', 'a b', 'a..b', '-a', 'a/', 'a//b', '.a', 'a/.b', 'a.lock', 'a@{b', 'a\\b', 'a:b', 'a\n'].some(
			isBranchName
		)
	).toBe(false);
});
