import { describe, expect, it } from 'vitest';
import { PublishError } from '#workspace/publish/errors.ts';
import { failureOf } from '#workspace/publish/failure-of.ts';
import { hostedRepository, likelyKind } from '#workspace/publish/repository-host.ts';

describe('what git says when it cannot publish', () => {
	it.each<[output: string, during: 'fetch' | 'commit' | 'push', code: string]>([
		['remote: error: GH006: Protected branch update failed', 'push', 'publish_protected'],
		['! [remote rejected] main (pre-receive hook declined)', 'push', 'publish_protected'],
		['You are not allowed to push code to protected branches', 'push', 'publish_protected'],
		['The requested URL returned error: 401', 'push', 'publish_no_access'],
		['error: 403', 'fetch', 'publish_no_access'],
		['fatal: Authentication failed for', 'push', 'publish_no_access'],
		['Permission to a/b denied to c', 'push', 'publish_no_access'],
		['the push was not allowed', 'push', 'publish_no_access'],
		['! [rejected] x -> x (non-fast-forward)', 'push', 'publish_branch_exists'],
		['a branch named x already exists', 'commit', 'publish_branch_exists'],
		['the tip of your current branch is behind', 'push', 'publish_branch_exists'],
		["fatal: couldn't find remote ref x", 'fetch', 'publish_no_branch'],
		['Remote branch x not found', 'fetch', 'publish_no_branch'],
		["couldn't find remote ref x", 'push', 'publish_rejected'],
		['error: 404', 'push', 'request_not_found'],
		["repository 'https://a/b' not found", 'fetch', 'request_not_found'],
		['unable to access', 'push', 'publish_unreachable'],
		['Could not resolve host', 'push', 'publish_unreachable'],
		['a network error', 'push', 'publish_unreachable'],
		['connect ECONNREFUSED', 'push', 'publish_unreachable'],
		['error: 502', 'push', 'publish_unreachable'],
		['error: 504', 'push', 'publish_unreachable'],
		['error: 503', 'push', 'publish_rejected'],
		['4030 objects', 'push', 'publish_rejected'],
		['', 'commit', 'publish_rejected']
	])('%j during %s is %s', (output, during, code) => {
		expect(failureOf(output, during)).toMatchObject({ code, detail: output });
	});

	it('is shown by its last three lines', () => {
		expect(failureOf('one\ntwo\nthree\nfour\n', 'push')).toMatchObject({
			name: 'PublishError',
			detail: 'two\nthree\nfour',
			message: 'publish_rejected: two\nthree\nfour'
		});
		expect(failureOf('', 'push').message).toBe('publish_rejected');
	});
});

describe('a repository on a host', () => {
	it.each([
		['https://github.com/a/b.git', { origin: 'https://github.com', host: 'github.com', path: 'a/b' }],
		['http://git.example:3000//g/s/b/', { origin: 'http://git.example:3000', host: 'git.example:3000', path: 'g/s/b' }],
		['https://u:p@h.example/a/my.git.b', { origin: 'https://h.example', host: 'h.example', path: 'a/my.git.b' }],
		['https://github.com/', null],
		['https://github.com', null],
		['ssh://git@h.example/a/b', null],
		['file:///a/b', null],
		['a/b', null]
	])('%s is %j', (address, repository) => {
		expect(hostedRepository(address)).toEqual(repository);
	});

	it('is of the kind that its name says', () => {
		const kinds = { github: ['github.com', 'github.corp.example'], gitlab: ['gitlab.com', 'my-gitlab.example'] };
		for (const [kind, hosts] of Object.entries(kinds))
			for (const host of hosts) expect(likelyKind(host), host).toBe(kind);
		for (const host of ['codeberg.org', 'gitea.com', 'gitea.example', 'forgejo.example'])
			expect(likelyKind(host)).toBe('gitea');
		expect(likelyKind('git.example')).toBe('none');
	});
});

it('is named by its code, and by the words of the host where there are some', () => {
	const [bare, worded] = [new PublishError('publish_nothing'), new PublishError('publish_rejected', 'hook declined')];
	expect([bare.message, bare.detail]).toEqual(['publish_nothing', '']);
	expect([worded.message, worded.detail]).toEqual(['publish_rejected: hook declined', 'hook declined']);
});
