import { expect, it } from 'vitest';
import { localPath } from '#computer/git/remote/remote-address.ts';

it('finds the path of an address, and takes what is escaped wrongly as it is', () => {
	expect(localPath('../one')).toBe('../one');
	expect(localPath('file:///a%20b/100%/%zz%C3')).toBe('/a b/100%/%zz%C3');
	expect(localPath('https://example.com/a')).toBeNull();
	expect(localPath('git@example.com:a/b')).toBeNull();
});
