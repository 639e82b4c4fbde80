import { describe, expect, it } from 'vitest';
import { openSessionFile, sealSessionFile } from '#session/share/session-file.ts';

const packed = new TextEncoder().encode('what a share carries, packed');
const open = (bytes: Uint8Array, passphrase: string | null = null) =>
	openSessionFile(new Blob([bytes.slice()]), passphrase);

describe('a session as a file', () => {
	it('is read as it was saved', async () => {
		expect(await open(await sealSessionFile(packed, ''))).toEqual(packed);
	});

	it('is noise without its passphrase', async () => {
		const sealed = await sealSessionFile(packed, 'four words of mine');
		expect(Buffer.from(sealed).includes(Buffer.from(packed.slice(0, 10)))).toBe(false);
		expect(await open(sealed, 'four words of mine')).toEqual(packed);
		for (const none of [null, '']) await expect(open(sealed, none)).rejects.toMatchObject({ code: 'passphrase' });
		await expect(open(sealed, 'four words of yours')).rejects.toMatchObject({ code: 'wrong_passphrase' });
	});

	it('is refused when a byte of it was changed', async () => {
		const sealed = await sealSessionFile(packed, 'four words of mine');
		// The last byte: the passphrase is right, but the encrypted data was changed.
		const changed = sealed.map((byte, at) => (at === sealed.length - 1 ? byte ^ 1 : byte));
		await expect(open(changed, 'four words of mine')).rejects.toMatchObject({ code: 'wrong_passphrase' });
	});

	it('says what is wrong with any other file', async () => {
		const plain = await sealSessionFile(packed, '');
		const with_ = (index: number, value: number) => plain.map((byte, at) => (at === index ? value : byte));
		await expect(open(new Uint8Array())).rejects.toMatchObject({ code: 'not_a_session' });
		await expect(open(packed)).rejects.toMatchObject({ code: 'not_a_session' });
		await expect(open(with_(9, 2))).rejects.toMatchObject({ code: 'newer_version' });
		await expect(open(with_(10, 7))).rejects.toMatchObject({ code: 'damaged_file' });
		await expect(open(with_(9, 0))).rejects.toMatchObject({ code: 'damaged_file' });
		// Marked as encrypted, but without a byte after salt and IV.
		const encrypted = (length: number) => new Uint8Array([...plain.slice(0, 10), 1, ...new Uint8Array(length)]);
		await expect(open(encrypted(28))).rejects.toMatchObject({ code: 'damaged_file' });
		await expect(open(encrypted(29))).rejects.toMatchObject({ code: 'passphrase' });
		const unknown = encrypted(40).map((byte, at) => (at === 10 ? 7 : byte));
		await expect(open(unknown)).rejects.toMatchObject({ code: 'damaged_file' });
		for (const length of [0, 5, 10])
			await expect(open(plain.slice(0, length))).rejects.toMatchObject({ code: 'not_a_session' });
		await expect(open(with_(8, 1))).rejects.toMatchObject({ code: 'not_a_session' });
		const older = (await sealSessionFile(packed, 'words')).map((byte, at) => (at === 9 ? 0 : byte));
		await expect(open(older, 'words')).rejects.toMatchObject({ code: 'damaged_file' });
		expect(await open(plain.slice(0, 11))).toEqual(new Uint8Array());
	});

	it('is not read when it is larger than a session can be', async () => {
		const large = Object.assign(new Blob([]), { arrayBuffer: () => Promise.reject(new Error('was read')) });
		const sized = (size: number): Blob => Object.defineProperty(large, 'size', { value: size, configurable: true });
		await expect(openSessionFile(sized(128 * 1024 ** 2 + 1), null)).rejects.toMatchObject({ code: 'file_too_large' });
		await expect(openSessionFile(sized(128 * 1024 ** 2), null)).rejects.toThrow('was read');
	});

	it('has a header that is sealed with it', async () => {
		const sealed = await sealSessionFile(packed, 'words');
		expect(new TextDecoder().decode(sealed.slice(0, 9))).toBe('SANDGLASS');
		expect([...sealed.slice(9, 11)]).toEqual([1, 1]);
		const again = await sealSessionFile(packed, 'words');
		expect(again.slice(11, 39)).not.toEqual(sealed.slice(11, 39));
		expect([...(await sealSessionFile(packed, '')).slice(9, 11)]).toEqual([1, 0]);
	});
});
