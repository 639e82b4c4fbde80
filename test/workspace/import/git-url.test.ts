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
		['http://localhost:8080/repo.git', 'http://localhost:8080/repo.git', 'repo', undefined]
	])('%s', (text, url, name, ref) => {
		expect(parseGitUrl(text)).toEqual(ref === undefined ? { url, name } : { url, name, ref });
	});

	it.each(['', 'not a url', 'https://', 'https://github.com', 'hello'])('refuses %j with what to do', (text) => {
		expect(() => parseGitUrl(text)).toThrow('should look like');
	});

	it.each(['ftp://example.org/a/b', 'file:///etc/passwd', 'javascript://a.b/c'])('refuses the scheme of %s', (text) => {
		expect(() => parseGitUrl(text)).toThrow('https address');
	});
});
