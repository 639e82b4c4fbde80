import { describe, expect, it, vi } from 'vitest';
import { encodeLines, parseLines, readLines } from '#session/storage/lines.ts';
import { MemoryFile } from '#session/storage/memory-file.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (value: Uint8Array): string => new TextDecoder().decode(value);
async function fileOf(content: string): Promise<MemoryFile> {
	const file = new MemoryFile();
	await file.append(bytes(content));
	return file;
}

describe('lines', () => {
	it('come back as they were stored, whatever is in them', () => {
		const values = [{ a: 'ü\n\t"' }, [1, null], 'x', 0, {}];
		const encoded = encodeLines(values);
		const lines = parseLines(encoded, 'log');
		expect(lines).toMatchObject({ values, warnings: [], damaged: 0, goodSize: encoded.length });
		expect(lines.starts.map((start) => text(encoded.slice(start, start + 2)))).toEqual(['{"', '[1', '"x', '0\t', '{}']);
		expect(text(encodeLines([]))).toBe('');
		expect(parseLines(new Uint8Array(), 'log')).toEqual({
			values: [],
			starts: [],
			warnings: [],
			damaged: 0,
			goodSize: 0
		});
	});

	it('end with a checksum that is always eight digits, or with none where an earlier version wrote them', () => {
		const encoded = text(encodeLines(Array.from({ length: 400 }, (_, at) => at)));
		for (const line of encoded.trimEnd().split('\n')) expect(line).toMatch(/^\d+\t[0-9a-f]{8}$/);
		expect(encoded).toMatch(/\t0/);
		expect(parseLines(bytes(encoded), 'log').values).toHaveLength(400);
		expect(parseLines(bytes('\n1\n'), 'log').values).toEqual([1]);
		expect(parseLines(bytes('1\n\n{"a":2}\n'), 'log')).toMatchObject({
			values: [1, { a: 2 }],
			starts: [0, 3],
			damaged: 0
		});
	});

	it('that are damaged are left out and named by their number', () => {
		const [one, two] = [text(encodeLines([1])), text(encodeLines(['two']))];
		const damaged = [`${one.trimEnd()}0\n`, '{"a":\n', two.replace('two', 'owt'), '\xff\n'];
		const lines = parseLines(bytes(`${one}\n${damaged.join('')}${two}`), 'journal');
		expect(lines.values).toEqual([1, 'two']);
		expect(lines.warnings).toEqual(
			[3, 4, 5, 6].map((number) => `Line ${number} of the journal is damaged and was left out.`)
		);
		expect(lines.damaged).toBe(4);
		expect(parseLines(new Uint8Array([0x22, 0xff, 0x22, 10]), 'log').damaged).toBe(1);
	});
});

describe('a file of lines', () => {
	it('whose last line was torn is cut, and what was cut is kept', async () => {
		const whole = text(encodeLines([1]));
		const file = await fileOf(`${whole}{"torn`);
		const keep = vi.fn(async (_end: Uint8Array) => undefined);
		const lines = await readLines(file, 'log', keep);
		expect(lines).toMatchObject({
			values: [1],
			warnings: ['The last line of the log was not written to its end and was left out.'],
			damaged: 0,
			goodSize: whole.length
		});
		expect(keep.mock.calls.map(([end]) => text(end))).toEqual(['{"torn']);
		expect(file.size()).toBe(whole.length);
		await file.append(bytes('x'));
		await readLines(file, 'log');
		expect(file.size()).toBe(whole.length);
	});

	it('that is whole is left alone', async () => {
		const file = await fileOf(text(encodeLines([1, 2])));
		const [keep, truncate] = [vi.fn(async () => undefined), vi.spyOn(file, 'truncate')];
		expect((await readLines(file, 'log', keep)).values).toEqual([1, 2]);
		expect([keep.mock.calls, truncate.mock.calls]).toEqual([[], []]);
	});
});
