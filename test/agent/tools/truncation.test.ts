import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import {
	createToolLimits,
	DEFAULT_OUTPUT_CHARACTERS,
	DEFAULT_OUTPUT_LINES,
	isCutNotice,
	truncateCharacters,
	truncateForModel,
	truncateLines
} from '#agent/tools/truncation.ts';
import { shell } from '#agent/tools/shell.ts';

const limits = createToolLimits();

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

describe('truncateForModel', () => {
	it('has the limits of the specification [9.5-5, S-6]', () => {
		expect(DEFAULT_OUTPUT_CHARACTERS).toMatchObject({
			read_file: 50_000,
			shell: 30_000,
			grep: 20_000,
			glob: 20_000,
			edit_file: 10_000,
			apply_patch: 10_000,
			write_file: 1_000,
			spawn_agent: 20_000
		});
		expect(DEFAULT_OUTPUT_LINES).toMatchObject({ shell: 256, grep: 200, glob: 500 });
		expect(DEFAULT_OUTPUT_LINES['read_file']).toBeUndefined();
		expect(truncateForModel('read_file', 'x'.repeat(50_000), limits)).toHaveLength(50_000);
		expect(truncateForModel('read_file', 'x'.repeat(50_001), limits)).toContain('1 characters were removed');
	});

	it('is said to the model where it matters most: for commands', () => {
		const characters = DEFAULT_OUTPUT_CHARACTERS['shell']?.toLocaleString('en');
		expect(shell.description).toContain(`over ${characters} characters or ${DEFAULT_OUTPUT_LINES['shell']} lines`);
	});

	it('cuts the middle or the beginning, as the specification says for each tool [S-6]', () => {
		for (const [tool, max] of Object.entries(DEFAULT_OUTPUT_CHARACTERS)) {
			const cut = truncateForModel(tool, `<${'x'.repeat(max)}>`, limits);
			const middle = ['read_file', 'shell', 'spawn_agent'].includes(tool);
			const beginning = ['grep', 'glob', 'edit_file', 'apply_patch', 'write_file'].includes(tool);
			if (middle)
				expect(cut).toMatch(/^<x+\n\n\[WARNING: [^\]]*2 characters were removed from the middle[^\]]*\]\n\nx+>$/);
			if (beginning) expect(cut).toMatch(/^\[WARNING: [^\]]*First 2 characters were removed[^\]]*\]\n\nx+>$/);
		}
	});

	it('cuts by characters first, so that two huge lines do not pass [9.5-1]', () => {
		const text = `${'a'.repeat(10_000_000)}\n${'b'.repeat(10_000_000)}`;
		const cut = truncateForModel('shell', text, limits);
		expect(cut.length).toBeLessThan(31_000);
		expect(cut).toMatch(/^a+\n\n\[WARNING/);
		expect(cut).toMatch(/\]\n\nb+$/);
		// If lines were cut first, only 256 of 1,000 long lines would remain before their characters are counted.
		const long = `${'c'.repeat(999)}\n`.repeat(1_000);
		expect(truncateForModel('shell', long, limits)).toContain('970000 characters were removed');
		expect(truncateForModel('shell', long, limits)).not.toContain('lines omitted');
	});

	it('cuts by lines second [9.5-2]', () => {
		const lines = (count: number): string => Array.from({ length: count }, (_, index) => `${index + 1}`).join('\n');
		for (const [tool, max] of [
			['shell', 256],
			['grep', 200],
			['glob', 500]
		] as const) {
			const cut = truncateForModel(tool, lines(1_000), limits);
			expect(cut).toContain(`\n[... ${1_000 - max} lines omitted ...]\n`);
			expect(cut.split('\n')).toHaveLength(max + 1);
		}
		expect(truncateForModel('read_file', lines(1_000), limits)).toBe(lines(1_000));
	});

	it('says how much was removed and where the whole is [9.5-3, S-7]', () => {
		expect(truncateCharacters('a'.repeat(60) + 'b'.repeat(60), 100, 'head_tail')).toBe(
			`${'a'.repeat(50)}\n\n[WARNING: Tool output was truncated. 20 characters were removed from the middle. The full output is available in the event stream. If you need to see specific parts, re-run the tool with more targeted parameters.]\n\n${'b'.repeat(50)}`
		);
		expect(truncateCharacters('a'.repeat(20) + 'b'.repeat(100), 100, 'tail')).toBe(
			`[WARNING: Tool output was truncated. First 20 characters were removed. The full output is available in the event stream.]\n\n${'b'.repeat(100)}`
		);
		expect(truncateForModel('grep', 'x'.repeat(20_010), limits)).toMatch(/^\[WARNING.*First 10 characters/);
	});

	it('takes other limits from the session, for characters and for lines [9.5-6]', () => {
		const own = createToolLimits({ outputCharacters: { shell: 100 }, outputLines: { glob: 4 } });
		expect(truncateForModel('shell', 'x'.repeat(101), own)).toContain('1 characters were removed');
		expect(truncateForModel('glob', '1\n2\n3\n4\n5\n6', own)).toBe('1\n2\n[... 2 lines omitted ...]\n5\n6');
		expect(own.outputCharacters['grep']).toBe(20_000);
	});

	it('never cuts a character in two, whatever the text', () => {
		const mode = fc.constantFrom('head_tail' as const, 'tail' as const);
		fc.assert(
			fc.property(
				fc.string({ unit: 'grapheme', maxLength: 200 }),
				fc.integer({ min: 0, max: 150 }),
				mode,
				(text, max, how) => {
					const cut = truncateCharacters(text, max, how);
					expect(LONE_SURROGATE.test(cut)).toBe(LONE_SURROGATE.test(text));
					if (text.length <= max) expect(cut).toBe(text);
				}
			)
		);
	});

	it('leaves short texts alone', () => {
		expect(truncateLines('a\nb', 2)).toBe('a\nb');
		expect(truncateForModel('a_tool_of_the_host', 'x'.repeat(40_000), limits)).toContain(
			'10000 characters were removed'
		);
	});
});

describe('the limits of tools', () => {
	it('are times too, which a session may set', () => {
		expect(createToolLimits()).toMatchObject({ defaultCommandTimeoutMs: 10_000, maxCommandTimeoutMs: 600_000 });
		const own = { defaultCommandTimeoutMs: 5, maxCommandTimeoutMs: 6 };
		expect(createToolLimits(own)).toMatchObject(own);
	});

	it('leave the end of a list of files', () => {
		expect(truncateForModel('list_directory', `<${'x'.repeat(20_000)}>`, limits)).toMatch(/^\[WARNING[^\]]*\]\n\nx+>$/);
	});
});

describe('a cut', () => {
	it('between the halves of a character drops both, at either end', () => {
		for (const character of ['\u{10000}', '\u{10ffff}']) {
			expect(truncateCharacters(`ab${character}${'x'.repeat(9)}`, 6, 'head_tail')).toMatch(/^ab\n\n\[WARNING/);
			expect(truncateCharacters(`${'x'.repeat(9)}${character}ab`, 3, 'tail')).toMatch(/\]\n\nab$/);
		}
		expect(truncateCharacters(`${'x'.repeat(9)}\uff71ab`, 3, 'tail')).toMatch(/\]\n\n\uff71ab$/);
	});

	it('is known by its notice, alone on its line', () => {
		const notices = [
			truncateLines('1\n2\n3', 2),
			truncateLines('\n'.repeat(1_234), 2),
			truncateCharacters('x'.repeat(50), 10, 'tail'),
			truncateCharacters('x'.repeat(50), 10, 'head_tail')
		].flatMap((text) => text.split('\n').filter((line) => line.startsWith('[')));
		expect(notices).toHaveLength(4);
		for (const notice of notices) {
			expect(isCutNotice(notice)).toBe(true);
			expect(isCutNotice(`> ${notice}`)).toBe(false);
			expect(isCutNotice(`${notice} `)).toBe(false);
			expect(isCutNotice(notice.replace(/\d+/, 'some'))).toBe(false);
		}
		expect(isCutNotice('text')).toBe(false);
	});
});
