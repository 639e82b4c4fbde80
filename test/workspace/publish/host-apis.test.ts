import { describe, expect, it } from 'vitest';
import { gitea } from '#workspace/publish/hosts/gitea.ts';
import { github } from '#workspace/publish/hosts/github.ts';
import { gitlab } from '#workspace/publish/hosts/gitlab.ts';
import { hostedRepository } from '#workspace/publish/repository-host.ts';
import type { PullRequest } from '#workspace/publish/hosts/host-api.ts';

const wanted = (address: string): PullRequest => {
	const repository = hostedRepository(address);
	if (!repository) throw new Error(`${address} is no repository.`);
	return { repository, branch: 'fix/it', target: 'main', title: 'Fix it', description: 'Why.' };
};

describe('a pull request by the documents of each host', () => {
	it('at GitHub, and at a GitHub of an organisation', () => {
		expect(github.authorization('t')).toBe('Bearer t');
		const headers = {
			accept: 'application/vnd.github+json',
			'x-github-api-version': '2022-11-28',
			'user-agent': 'sandglass'
		};
		expect(github.open(wanted('https://github.com/a b/c'))).toEqual({
			method: 'POST',
			url: 'https://api.github.com/repos/a%2520b/c/pulls',
			headers,
			body: { title: 'Fix it', body: 'Why.', head: 'fix/it', base: 'main' }
		});
		expect(github.find(wanted('https://github.corp.example/owner/c'))).toEqual({
			method: 'GET',
			url: 'https://github.corp.example/api/v3/repos/owner/c/pulls?state=open&head=owner%3Afix%2Fit',
			headers
		});
	});

	it('at GitLab', () => {
		expect(gitlab.authorization('t')).toBe('Bearer t');
		const url = 'https://gitlab.com/api/v4/projects/g%2Fs%2Fc/merge_requests';
		const headers = { accept: 'application/json' };
		expect(gitlab.open(wanted('https://gitlab.com/g/s/c'))).toEqual({
			method: 'POST',
			url,
			headers,
			body: { title: 'Fix it', description: 'Why.', source_branch: 'fix/it', target_branch: 'main' }
		});
		expect(gitlab.find(wanted('https://gitlab.com/g/s/c'))).toEqual({
			method: 'GET',
			url: `${url}?state=opened&source_branch=fix%2Fit`,
			headers
		});
	});

	it('at Gitea and Forgejo', () => {
		expect(gitea.authorization('t')).toBe('token t');
		const url = 'https://codeberg.org/api/v1/repos/a/c/pulls';
		const headers = { accept: 'application/json' };
		expect(gitea.open(wanted('https://codeberg.org/a/c'))).toEqual({
			method: 'POST',
			url,
			headers,
			body: { title: 'Fix it', body: 'Why.', head: 'fix/it', base: 'main' }
		});
		expect(gitea.find(wanted('https://codeberg.org/a/c'))).toEqual({
			method: 'GET',
			url: `${url}/main/fix%2Fit`,
			headers
		});
	});
});

describe('what a host answers', () => {
	it.each([
		['GitHub', github, 'html_url'],
		['Gitea', gitea, 'html_url'],
		['GitLab', gitlab, 'web_url']
	] as const)('at %s has a link that may be opened, or none', (_, api, field) => {
		const url = 'https://h.example/a/c/pulls/1';
		for (const each of [url, 'http://h.internal:3000/a/c/pulls/1'])
			expect(api.read({ [field]: each })).toEqual({ url: each });
		const strange = ['web+https://h.example/', 'https-x://h.example/'];
		for (const hostile of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', ...strange, 1, undefined, 'x'])
			expect(api.read({ [field]: hostile })).toBeNull();
		for (const body of [null, 'text', [], {}]) expect(api.read(body)).toBeNull();
		if (api !== gitea) expect(api.read([{ [field]: url }, {}])).toEqual({ url });
	});

	it.each([
		[422, { message: 'A pull request already exists for a:fix.' }, 'exists'],
		[409, 'Another open merge request has already been created', 'exists'],
		[422, { message: 'No commits between main and fix' }, 'request_no_difference'],
		[400, 'There are no changes', 'request_no_difference'],
		[400, 'no difference', 'request_no_difference'],
		[400, 'nothing to merge', 'request_no_difference'],
		[400, 'identical branches', 'request_no_difference'],
		[400, 'no diff', 'request_no_difference'],
		[400, 'it does not have any commits', 'request_no_difference'],
		[401, {}, 'request_no_access'],
		[403, undefined, 'request_no_access'],
		[404, {}, 'request_not_found'],
		[500, {}, 'request_refused'],
		[422, { message: 'Validation Failed' }, 'request_refused']
	])('with %i and %j means %s', (status, body, meaning) => {
		for (const api of [github, gitlab, gitea]) expect(api.refusal({ status, body })).toBe(meaning);
	});

	it('with 409 means at GitLab and Gitea that it is open already', () => {
		const answers = [github, gitlab, gitea].map((api) => api.refusal({ status: 409, body: {} }));
		expect(answers).toEqual(['request_refused', 'exists', 'exists']);
	});
});
