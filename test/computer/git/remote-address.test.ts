import { expect, it } from 'vitest';
import { directoryFor } from '#computer/git/remote/clone-name.ts';
import { extCommand } from '#computer/git/remote/ext-command.ts';
import { localPath } from '#computer/git/remote/remote-address.ts';

it('finds the path of an address, and takes what is escaped wrongly as it is', () => {
	expect(localPath('../one')).toBe('../one');
	expect(localPath('file:///a%20b/100%/%zz%C3')).toBe('/a b/100%/%zz%C3');
	expect(localPath('https://example.com/a')).toBeNull();
	expect(localPath('git@example.com:a/b')).toBeNull();
});

it('names the directory of a clone after the path of the address, or the host', () => {
	const names = {
		foo: ['host:foo', 'ssh://host/foo.git', 'host:foo/.git/', '/a/foo///', 'ssh://host/foo///.git///', 'foo.bundle'],
		host: ['ssh://host/', 'ssh://user:passw@rd@host:1234/', 'host:/', 'user@host:/'],
		'foo@bar': ['ssh://user@host/foo@bar', 'user:secret@host:/foo@bar.git'],
		'1234': ['ssh://host/test:1234.git'],
		'a b': ['host:a \t b']
	};
	for (const [name, addresses] of Object.entries(names))
		for (const address of addresses) expect(directoryFor(address, false), address).toBe(name);
	expect(directoryFor('host:foo/', true)).toBe('foo.git');
	for (const address of ['///', '/.git'])
		expect(() => directoryFor(address, false)).toThrow('No directory name could be guessed.');
});

it('reads the command of an address of ext::, with its placeholders', () => {
	const command = (text: string) => extCommand(text, 'git-upload-pack');
	expect(command('sh -c a% b%%%s %S')).toEqual({
		argv: ['sh', '-c', 'a b%upload-pack', 'git-upload-pack'],
		env: { GIT_EXT_SERVICE: 'git-upload-pack', GIT_EXT_SERVICE_NOPREFIX: 'upload-pack' }
	});
	const { argv, preface } = command('connect %G/one.git %Vhost');
	expect(argv).toEqual(['connect']);
	expect(new TextDecoder().decode(preface)).toBe('0027git-upload-pack /one.git\0host=host\0');
	expect(() => command('a %x')).toThrow("Bad remote-ext placeholder '%x'.");
	expect(() => command('a %')).toThrow('remote-ext command has incomplete placeholder');
});
