import { describe, expect, it } from 'vitest';
import { openSessionFile, sealSessionFile } from '#session/share/session-file.ts';

const packed = new TextEncoder().encode('what a share carries, packed');
const open = (bytes: Uint8Array, passphrase: string | null = null) =>
	openSessionFile(new Blob([bytes.slice()]), passphrase);

describe('a session as a file', () => {
	it('is read as it was saved', async () => {
		expect(await open(await sealSessionFile(packed, ''))).toEqual(packed);
	});

	it('is noise without its passphrase, and refused when a byte of it was changed', async () => {
		const sealed = await sealSessionFile(packed, 'four words of mine');
		expect(Buffer.from(sealed).includes(Buffer.from(packed.slice(0, 10)))).toBe(false);
		expect(await open(sealed, 'four words of mine')).toEqual(packed);
		await expect(open(sealed)).rejects.toMatchObject({ code: 'passphrase' });
		await expect(open(sealed, 'four words of yours')).rejects.toMatchObject({ code: 'wrong_passphrase' });
		// The last byte: the words fit, and what they sealed was changed.
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
		await expect(open(with_(10, 1))).rejects.toMatchObject({ code: 'damaged_file' });
	});
});
