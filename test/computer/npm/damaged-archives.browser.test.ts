import { gzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { packageFiles } from '#computer/npm/archive/package-files.ts';
import { writeTar } from '#environment/archive/tar-format.ts';

const CODE = new TextEncoder().encode('module.exports = 1;\n');
const MEMBER = { kind: 'file', mode: 0o644, modifiedMs: 0, target: '' } as const;

const archive = (): Uint8Array<ArrayBuffer> =>
	new Uint8Array(gzipSync(writeTar([{ ...MEMBER, name: 'package/index.js', bytes: CODE }])));

it('reads a package with zeros after its archive, which DecompressionStream refuses', async () => {
	const tarball = archive();
	const padded = new Uint8Array(tarball.length + 3_883);
	padded.set(tarball);
	const { body } = new Response(padded);
	await expect(new Response(body!.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer()).rejects.toThrow();
	expect(await packageFiles(padded, 'padded@1.0.0')).toEqual([{ path: 'index.js', mode: 0o644, bytes: CODE }]);
});

it('names a package whose archive is damaged, and says what to do', async () => {
	const tarball = archive();
	const cut = tarball.slice(0, tarball.length - 20);
	await expect(packageFiles(cut, 'cut@1.0.0')).rejects.toMatchObject({
		code: 'TAR_BAD_ARCHIVE',
		lines: ['The archive of cut@1.0.0 is damaged: unexpected EOF', 'Choose another version of it.']
	});
});
