import { expect } from 'vitest';
import fc from '#test/fast-check.ts';
import { MemoryFile, MemoryFolder } from '#session/storage/memory-file.ts';
import type { StoredChange } from '#session/storage/messages.ts';
import { SessionFiles } from '#session/storage/session-files.ts';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const write = (name: string, text: string): StoredChange => ({
	kind: 'write',
	path: `/workspace/${name}`,
	mode: 0o100644,
	bytes: bytes(text)
});
export const FILES: Record<string, string> = { a: 'content of a', b: 'the second one', c: 'c\nof\nlines\n', d: 'last' };
export const LOG = Array.from({ length: 5 }, (_, number) => ({ id: String(number), text: `entry ${number}` }));

/** A closed session with four files and five entries. */
export async function stored(): Promise<MemoryFolder> {
	const folder = new MemoryFolder();
	const files = await SessionFiles.open(folder);
	for (const [name, text] of Object.entries(FILES)) await files.appendChanges([write(name, text)]);
	await files.appendEntries(LOG);
	await files.close();
	return folder;
}

export async function bytesOf(folder: MemoryFolder, name: string): Promise<Uint8Array> {
	return (await folder.readWhole(name)) ?? new Uint8Array();
}

export async function replace(folder: MemoryFolder, name: string, content: Uint8Array): Promise<void> {
	const file = new MemoryFile();
	await file.append(content);
	folder.files.set(name, file);
}

/** Readable files by name; `null` if the content is lost. */
export async function contents(files: SessionFiles): Promise<Record<string, string | null>> {
	const found: Record<string, string | null> = {};
	for (const [path, { blob }] of files.state.files) {
		const content = await files.readBlob(blob);
		found[path.replace('/workspace/', '')] = content && new TextDecoder().decode(content);
	}
	return found;
}

const damage = fc.record({
	name: fc.constantFrom('log.jsonl', 'files.jsonl', 'blobs.pack'),
	how: fc.constantFrom('flip', 'cut', 'zero', 'drop'),
	at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
	bit: fc.integer({ min: 0, max: 7 })
});

/**
 * Damages stored sessions and opens them: no wrong data is returned, losses are reported, and the session can continue.
 */
export async function playDamage({
	count,
	seed
}: {
	count: number;
	seed?: number;
}): Promise<{ tried: number; lossy: number }> {
	const figures = { tried: 0, lossy: 0 };
	await fc.assert(
		fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (all) => {
			const folder = await stored();
			for (const { name, how, at, bit } of all) {
				const content = (await bytesOf(folder, name)).slice();
				if (content.length === 0) continue;
				const place = Math.floor(at * content.length);
				if (how === 'flip') content[place] = (content[place] ?? 0) ^ (1 << bit);
				if (how === 'zero') content.fill(0, place, place + 9);
				const kept = how === 'cut' ? content.subarray(0, place) : content;
				if (how === 'drop') folder.files.delete(name);
				else await replace(folder, name, kept);
			}
			const files = await SessionFiles.open(folder);
			const found = await contents(files);
			let missing = 0;
			for (const [name, text] of Object.entries(FILES)) {
				if (found[name] !== text) missing++;
				expect([text, null, undefined]).toContain(found[name]);
			}
			for (const name of Object.keys(found)) expect(Object.keys(FILES)).toContain(name);
			const isTold = files.damage.length > 0 || files.warnings.length > 0 || Object.values(found).includes(null);
			if (missing > 0 && (Object.keys(found).length > 0 || files.entries.length > 0)) expect(isTold).toBe(true);
			for (const entry of files.entries) expect(LOG).toContainEqual(entry);
			if (files.entries.length < LOG.length - 1 && files.entries.length > 0 && !all.some(({ how }) => how === 'cut'))
				expect(isTold).toBe(true);
			await files.appendChanges([write('new', 'written after')]);
			await files.close();
			expect((await contents(await SessionFiles.open(folder)))['new']).toBe('written after');
			figures.tried++;
			if (missing > 0) figures.lossy++;
		}),
		{ numRuns: count, ...(seed === undefined ? {} : { seed }) }
	);
	return figures;
}
