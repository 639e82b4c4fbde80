import { describe, expect, it } from 'vitest';
import { MemoryFolder } from '#session/storage/memory-file.ts';
import { appendFolderContract } from './append-file.ts';

describe('a folder in memory', () => appendFolderContract(async () => new MemoryFolder()));

it('a file in memory takes many small pieces', async () => {
	const file = await new MemoryFolder().open('log');
	for (let piece = 0; piece < 100; piece++) await file.append(new Uint8Array([piece]));
	expect([...(await file.read(0, 200))]).toEqual(Array.from({ length: 100 }, (_, piece) => piece));
});
