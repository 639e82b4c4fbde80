import { expect, it } from 'vitest';
import type { AppendFolder } from '#session/storage/append-file.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (found: Uint8Array | null) => found && new TextDecoder().decode(found);

/** Contract of every medium, see {@link AppendFolder}. @param make makes an empty folder */
export function appendFolderContract(make: () => Promise<AppendFolder>): void {
	it('gives back what was appended, from anywhere, also after it was opened again', async () => {
		const folder = await make();
		expect(await folder.readWhole('log')).toBeNull();
		const file = await folder.open('log');
		await file.append(bytes('one '));
		await file.append(bytes('two '));
		await file.append(bytes('three'));
		expect(file.size()).toBe(13);
		expect(text(await file.read(2, 7))).toBe('e two t');
		expect(text(await file.read(11, 100))).toBe('ee');
		for (const beyond of [13, 14, 100]) expect(text(await file.read(beyond, 5))).toBe('');
		await file.flush();
		await file.close();
		const again = await folder.open('log');
		expect(text(await again.read(0, again.size()))).toBe('one two three');
		expect(text(await folder.readWhole('log'))).toBe('one two three');
		await again.close();
	});

	it('cuts the end off and goes on from there', async () => {
		const folder = await make();
		const file = await folder.open('log');
		for (const part of ['one ', 'two ', 'three']) await file.append(bytes(part));
		await file.truncate(6);
		expect(text(await file.read(0, file.size()))).toBe('one tw');
		await file.append(bytes('o!'));
		await file.close();
		const again = await folder.open('log');
		expect(text(await again.read(0, 100))).toBe('one two!');
		await again.truncate(0);
		expect(again.size()).toBe(0);
		await again.append(bytes('anew'));
		expect(text(await again.read(0, 100))).toBe('anew');
		await again.close();
		expect(text(await folder.readWhole('log'))).toBe('anew');
	});
}
