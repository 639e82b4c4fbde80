import { expect, it } from 'vitest';
import { decrypt, encrypt } from '#session/share/encryption.ts';

const plain = new TextEncoder().encode('what a share carries');

it('is read with its key, and says nothing without', async () => {
	const { key, sealed } = await encrypt(plain);
	expect([key.length, sealed.length]).toEqual([16, 12 + plain.length + 16]);
	expect(Buffer.from(sealed).includes('share')).toBe(false);
	expect(await decrypt(sealed, key)).toEqual(plain);
	const again = await encrypt(plain);
	expect(again.key).not.toEqual(key);
	expect(again.sealed.slice(0, 12)).not.toEqual(sealed.slice(0, 12));
	await expect(decrypt(sealed, again.key)).rejects.toMatchObject({
		code: 'wrong_key',
		detail: expect.stringContaining('Error')
	});
});

it('is refused where a byte of it was changed, or a part is missing', async () => {
	const { key, sealed } = await encrypt(plain);
	for (const at of [0, 11, 12, sealed.length - 1]) {
		const changed = sealed.map((byte, index) => (index === at ? byte ^ 1 : byte));
		await expect(decrypt(changed, key)).rejects.toMatchObject({ code: 'wrong_key' });
	}
	await expect(decrypt(sealed.slice(0, 13), key)).rejects.toMatchObject({ code: 'wrong_key' });
	for (const [part, of] of [
		[sealed.slice(0, 12), key],
		[new Uint8Array(), key],
		[sealed, key.slice(1)],
		[sealed, new Uint8Array([...key, 0])]
	] as const)
		await expect(decrypt(part, of)).rejects.toMatchObject({ code: 'damaged', detail: 'length' });
});
