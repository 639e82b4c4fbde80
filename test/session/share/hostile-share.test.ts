import { describe, expect, it } from 'vitest';
import type { ShareBundle } from '#session/contract.ts';
import { packBundle, unpackBundle } from '#session/share/bundle.ts';
import { compress, decompress } from '#session/share/compression.ts';
import { decrypt, encrypt } from '#session/share/encryption.ts';
import { redactSecrets } from '#session/share/secrets.ts';

const file = { mode: 0o100644, base64: 'aGVsbG8K' };
const share: ShareBundle = {
	version: 1,
	origin: { kind: 'files', name: 'files' },
	title: 'A share',
	files: { 'src/hello.txt': file },
	removed: ['old.txt'],
	before: { 'new.txt': null },
	entries: [{ id: 'a', parentId: null, timestamp: 1, type: 'session', version: 1, sessionId: 's', title: 'A share' }],
	checkpoints: [],
	viewOnly: false
};
/** Anyone can make this without our code. */
const crafted = (value: unknown): Promise<Uint8Array> => compress(new TextEncoder().encode(JSON.stringify(value)));

describe('a share from a stranger', () => {
	it('is read as it was made', async () => {
		expect(await unpackBundle(await packBundle(share))).toEqual(share);
	});

	it.each([
		'../out.txt',
		'/etc/passwd',
		'a/../../b',
		'a//b',
		'./a',
		'a/',
		'',
		'a\0b',
		'x'.repeat(5000),
		'C:\\x',
		'..\\x',
		'\\x',
		'.git/config',
		'a/.GIT/x',
		'git~1/x',
		'.GIT/hooks/pre-commit',
		'.git'
	])('cannot name a place outside the project: %j', async (path) => {
		for (const hostile of [
			{ ...share, files: { [path]: file } },
			{ ...share, removed: [path] },
			{ ...share, before: { [path]: null } },
			{ ...share, history: [{ checkpoint: null, files: { [path]: file }, removed: [], empty: [] }] },
			{ ...share, history: [{ checkpoint: null, files: {}, removed: [path], empty: [] }] },
			{ ...share, history: [{ checkpoint: null, files: {}, removed: [], empty: [path] }] }
		]) {
			await expect(unpackBundle(await crafted(hostile))).rejects.toMatchObject({ code: 'damaged' });
		}
	});

	it('cannot make files of another kind, or events we do not know', async () => {
		const entry = { id: 'b', parentId: 'a', timestamp: 2, type: 'event', event: { type: 'run_this', seq: 1 } };
		for (const hostile of [
			{ ...share, files: { a: { ...file, mode: 0o104755 } } },
			{ ...share, files: { a: { ...file, base64: 'no base64!' } } },
			{ ...share, receipt: [{ callId: 'a', checkpoint: 'c', before: 'x', command: 'x', output: 'x', after: null }] },
			{ ...share, entries: [entry] },
			{ ...share, entries: 'none' },
			[],
			null
		]) {
			await expect(unpackBundle(await crafted(hostile))).rejects.toMatchObject({ code: 'damaged' });
		}
	});

	it('has the files and the receipt that a session writes, and none that only look so', async () => {
		const hash = '0f'.repeat(32);
		const receipt = {
			callId: 'a',
			checkpoint: 'c',
			before: hash,
			command: hash,
			output: hash,
			exitCode: 1,
			after: null
		};
		const whole = {
			...share,
			files: { run: { ...file, mode: 0o100755 }, link: { ...file, mode: 0o120000 }, empty: { ...file, base64: '' } },
			receipt: [receipt, { ...receipt, after: hash, link: hash, machine: 'docker' }]
		};
		expect(await unpackBundle(await crafted(whole))).toEqual(whole);
		for (const fields of [
			{ files: { a: { ...file, base64: 'AAA' } } },
			{ files: { a: { ...file, base64: 'AA=A' } } },
			{ files: { a: { ...file, base64: 'A===' } } },
			{ files: { a: { ...file, base64: ' AAA' } } },
			{ files: { a: { ...file, base64: 'AAA\n' } } },
			{ receipt: [{ ...receipt, before: `${hash}0` }] },
			{ receipt: [{ ...receipt, before: `0${hash}` }] },
			{ receipt: [{ ...receipt, output: hash.toUpperCase() }] },
			{ receipt: [{ ...receipt, exitCode: 0.5 }] },
			{ receipt: [{ ...receipt, machine: 'other' }] },
			{ origin: { kind: 'other', name: 'x' } }
		])
			await expect(unpackBundle(await crafted({ ...share, ...fields }))).rejects.toMatchObject({ code: 'damaged' });
		const long = { ...share, removed: ['x'.repeat(4_095)] };
		expect(await unpackBundle(await crafted(long))).toEqual(long);
		const tooLong = { ...share, removed: ['x'.repeat(4_096)] };
		await expect(unpackBundle(await crafted(tooLong))).rejects.toMatchObject({ code: 'damaged' });
	});

	it('does not fill the memory when it unpacks to more than it may', async () => {
		const bomb = await compress(new Uint8Array(4 * 2 ** 20));
		expect(bomb.length).toBeLessThan(10_000);
		for (const limit of [2 ** 20, 4 * 2 ** 20 - 1])
			await expect(decompress(bomb, limit)).rejects.toMatchObject({ code: 'too_large' });
		expect(await decompress(bomb, 4 * 2 ** 20)).toHaveLength(4 * 2 ** 20);
	});

	it('says that it is of a newer version, or damaged, wherever it was cut', async () => {
		await expect(unpackBundle(await crafted({ ...share, version: 2 }))).rejects.toMatchObject({
			code: 'newer_version'
		});
		const whole = await packBundle(share);
		for (let length = 0; length < whole.length; length += 7) {
			await expect(unpackBundle(whole.slice(0, length)), String(length)).rejects.toMatchObject({ code: 'damaged' });
		}
	});
});

describe('a stored share', () => {
	it('is noise without its key, which is new each time', async () => {
		const plain = await packBundle(share);
		const [one, two] = [await encrypt(plain), await encrypt(plain)];
		expect(one.key).not.toEqual(two.key);
		expect(one.sealed.slice(0, 12)).not.toEqual(two.sealed.slice(0, 12));
		expect(Buffer.from(one.sealed).includes(Buffer.from(plain.slice(10, 40)))).toBe(false);
		expect(await decrypt(one.sealed, one.key)).toEqual(plain);
		await expect(decrypt(one.sealed, two.key)).rejects.toMatchObject({ code: 'wrong_key' });
	});

	it('is damaged where key or content cannot be of that length', async () => {
		const { key, sealed } = await encrypt(new Uint8Array());
		expect(key).toHaveLength(16);
		expect(await decrypt(sealed, key)).toEqual(new Uint8Array());
		const damaged = { code: 'damaged', detail: 'length' };
		await expect(decrypt(sealed, key.slice(1))).rejects.toMatchObject(damaged);
		await expect(decrypt(sealed.slice(0, 12), key)).rejects.toMatchObject(damaged);
		await expect(decrypt(sealed.slice(0, 13), key)).rejects.toMatchObject({ code: 'wrong_key' });
	});

	it('is refused when a single byte was changed', async () => {
		const { key, sealed } = await encrypt(new TextEncoder().encode('the files'));
		for (const index of sealed.keys()) {
			const changed = sealed.slice();
			changed[index] = changed[index]! ^ 1;
			await expect(decrypt(changed, key), String(index)).rejects.toMatchObject({ code: 'wrong_key' });
		}
	});
});

describe('what looks like a secret', () => {
	it.each([
		['AKIAIOSFODNN7EXAMPLE', 'AWS key'],
		[`ghp_${'aB3d'.repeat(9)}`, 'GitHub token'],
		[`sk-ant-${'a1'.repeat(20)}`, 'Anthropic key'],
		[`sk-proj-${'a1'.repeat(20)}`, 'OpenAI key'],
		[`AIza${'a1b'.repeat(11)}ab`, 'Google key'],
		[`-----BEGIN PRIVATE KEY-----\n${'MIIE'.repeat(20)}\n-----END PRIVATE KEY-----`, 'private key'],
		['postgres://user:hunter22@db.example.org/app', 'password in an address'],
		...['API_KEY', 'apikey', 'access-key', 'client_secret', 'private_key', 'private-key', 'PrivateKey', 'passwd'].map(
			(name): [string, string] => [`${name}="f3a9c2d1e8b7465099aa"`, 'secret value']
		)
	])('is taken out of a share, unless it is put back: %s', (text, kind) => {
		const found: string[] = [];
		const without = redactSecrets(`before ${text} after`, (each) => {
			found.push(each);
			return false;
		});
		expect(found).toContain(kind);
		expect(without).toMatch(/^before .*\[taken out: .*after$/s);
		expect(without).not.toContain(text);
		expect(redactSecrets(`before ${text} after`, () => true)).toBe(`before ${text} after`);
	});

	it('is not seen in ordinary code', () => {
		const code = 'const token = readToken(request);\nif (password.length < 8) throw new Error("too short");\n';
		expect(redactSecrets(code, () => false)).toBe(code);
	});
});
