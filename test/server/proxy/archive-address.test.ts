import { describe, expect, it } from 'vitest';
import { archiveAddress, archiveStyles } from '#server/proxy/archive-address.ts';

const styles = archiveStyles([
	'Git.example=GitHub',
	'lab.example:8443=gitlab',
	'tea.example=gitea',
	'own.example=https://files.example/{path}@{ref}.tgz',
	'odd.example=no address {ref}'
]);

const address = (repository: string, ref = '') => archiveAddress(new URL(repository), ref, styles)?.href;

describe('the archive of a repository', () => {
	it.each([
		['https://github.com/a/b.git', 'main', 'https://codeload.github.com/a/b/tar.gz/main'],
		['https://github.com/a/b', '', 'https://codeload.github.com/a/b/tar.gz/HEAD'],
		['https://github.com//a/b//', 'fix/it #1', 'https://codeload.github.com/a/b/tar.gz/fix/it%20%231'],
		['https://gitlab.com/g/s/bee', 'fix/it', 'https://gitlab.com/g/s/bee/-/archive/fix/it/bee-fix-it.tar.gz'],
		['https://github.com/a/my.github.io', 'v1', 'https://codeload.github.com/a/my.github.io/tar.gz/v1'],
		['https://bitbucket.org/a/b', 'v1', 'https://bitbucket.org/a/b/get/v1.tar.gz'],
		['https://codeberg.org/a/b.git', 'v1', 'https://codeberg.org/a/b/archive/v1.tar.gz'],
		['https://gitea.com/a/b', 'v1', 'https://gitea.com/a/b/archive/v1.tar.gz'],
		['https://git.example/a/b', 'v1', 'https://git.example/a/b/archive/v1.tar.gz'],
		['https://lab.example:8443/a/b', '', 'https://lab.example:8443/a/b/-/archive/HEAD/b-HEAD.tar.gz'],
		['https://own.example/b', '$&', 'https://files.example/b@%24%26.tgz']
	])('of %s at %j is %s', (repository, ref, archive) => {
		expect(address(repository, ref)).toBe(archive);
	});

	it.each([
		['a host that is not known', 'https://other.example/a/b', 'v1'],
		['a path that is no repository', 'https://gitlab.com/a', 'v1'],
		['a ref that climbs', 'https://github.com/a/b', '../../x'],
		['a ref that climbs at its end', 'https://github.com/a/b', 'x/..'],
		['the default branch of a host that cannot name it', 'https://codeberg.org/a/b', ''],
		['a template that makes no address', 'https://odd.example/a/b', 'v1']
	])('of %s is none', (_, repository, ref) => {
		expect(address(repository, ref)).toBeUndefined();
	});

	it('of a ref with dots in a name is an ordinary one', () => {
		expect(address('https://github.com/a/b', 'v1..2')).toBe('https://codeload.github.com/a/b/tar.gz/v1..2');
	});
});
