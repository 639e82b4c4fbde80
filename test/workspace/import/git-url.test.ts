import { describe, expect, it } from 'vitest';
import { parseGitUrl } from '#workspace/import/git-url.ts';

describe('what people paste as a repository', () => {
	it.each([
		['https://github.com/owner/repo', 'https://github.com/owner/repo', 'owner/repo', undefined],
		['https://github.com/owner/repo.git/', 'https://github.com/owner/repo.git', 'owner/repo', undefined],
		['github.com/owner/repo', 'https://github.com/owner/repo', 'owner/repo', undefined],
		['owner/repo', 'https://github.com/owner/repo', 'owner/repo', undefined],
		['git@gitlab.com:group/sub/repo.git', 'https://gitlab.com/group/sub/repo.git', 'sub/repo', undefined],
		['https://github.com/owner/repo/tree/next/src', 'https://github.com/owner/repo', 'owner/repo', 'next'],
		['https://gitlab.com/owner/repo/-/tree/dev', 'https://gitlab.com/owner/repo', 'owner/repo', 'dev'],
		['https://user:secret@example.org/a/b', 'https://example.org/a/b', 'a/b', undefined],
		['ssh://git@example.org/a/b.git', 'https://example.org/a/b.git', 'a/b', undefined],
		[' my-org/site.js ', 'https://github.com/my-org/site.js', 'my-org/site.js', undefined],
		['example.org/site', 'https://example.org/site', 'site', undefined],
		['HTTPS://example.org//a//b///', 'https://example.org/a/b', 'a/b', undefined],
		['http://[::1]:3000/a/b', 'http://[::1]:3000/a/b', 'a/b', undefined],
		['https://example.org/a/my.git.tools', 'https://example.org/a/my.git.tools', 'a/my.git.tools', undefined],
		['https://github.com/a/b/blob/main/README.md', 'https://github.com/a/b', 'a/b', 'main'],
		['https://github.com/a/b/commit/0a1b2c', 'https://github.com/a/b', 'a/b', '0a1b2c'],
		['https://codeberg.org/a/b/src/branch/next/x', 'https://codeberg.org/a/b', 'a/b', 'next'],
		['https://bitbucket.org/a/b/src/next/x', 'https://bitbucket.org/a/b', 'a/b', 'next'],
		['https://codeberg.org/a/b/src/tag/v1.0/x', 'https://codeberg.org/a/b', 'a/b', 'v1.0'],
		['https://codeberg.org/a/b/src/commit/0a1b2c', 'https://codeberg.org/a/b', 'a/b', '0a1b2c'],
		['https://gitlab.com/group/sub/repo/-/tree/dev/x', 'https://gitlab.com/group/sub/repo', 'sub/repo', 'dev'],
		['https://gitlab.com/group/sub/repo/-/blob/v1/README.md', 'https://gitlab.com/group/sub/repo', 'sub/repo', 'v1'],
		['ssh://git@example.org:2222/a/b.git', 'https://example.org/a/b.git', 'a/b', undefined],
		['git@example.org:2222/a/b.git', 'https://example.org/2222/a/b.git', 'a/b', undefined],
		['https://github.com/a/b/tree/100%', 'https://github.com/a/b', 'a/b', '100%'],
		['git.example.org/site', 'https://git.example.org/site', 'site', undefined],
		['https://example.org/git/a/b/tree/x', 'https://example.org/git/a/b/tree/x', 'tree/x', undefined],
		['https://github.com/a/b/tree/fix%2Fit', 'https://github.com/a/b', 'a/b', 'fix/it'],
		['https://gitlab.com/a/tree/src', 'https://gitlab.com/a/tree/src', 'tree/src', undefined],
		['http://localhost:8080/repo.git', 'http://localhost:8080/repo.git', 'repo', undefined]
	])('%s', (text, url, name, ref) => {
		expect(parseGitUrl(text)).toEqual(ref === undefined ? { url, name } : { url, name, ref });
	});

	it.each([
		'',
		'not a url',
		'https://',
		'https://github.com',
		'https://github.com//',
		'hello',
		'x git@host.org:a/b',
		'see ssh://git@host.org/a/b',
		'https://host/a/b',
		'git@host.org:a/b c',
		'git@<host>:a/b',
		'a/b/c',
		'https://a.b/c d'
	])('refuses %j with what to do', (text) => {
		expect(() => parseGitUrl(text)).toThrow('should look like');
	});

	it.each(['ftp://example.org/a/b', 'file:///etc/passwd', 'javascript://a.b/c'])('refuses the scheme of %s', (text) => {
		expect(() => parseGitUrl(text)).toThrow('https address');
	});
});
