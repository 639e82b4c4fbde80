import fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { ShellSyntaxError } from '#computer/shell/parser/error.ts';
import { parse } from '#computer/shell/parser/parse.ts';
import { formatPrintf } from '#computer/shell/builtins/printf.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import { FieldBuilder, fieldText } from '#computer/shell/expansion/field.ts';
import { memoryPipe } from '#computer/shell/streams/memory-pipe.ts';
import { BrokenPipe, OpenFile } from '#computer/shell/streams/open-file.ts';
import { decode, encode } from '#computer/process/text.ts';

const incomplete = (source: string) => {
	try {
		parse(source);
		return null;
	} catch (error) {
		return error instanceof ShellSyntaxError && error.incomplete;
	}
};

it('tells unfinished input from wrong input', () => {
	for (const source of [
		'if true; then',
		'echo "a',
		'ls |',
		'a &&',
		'cat <<EOF\nx',
		'for i in 1 2',
		'echo \\',
		'f() {',
		'(ls'
	]) {
		expect(incomplete(source), source).toBe(true);
	}
	for (const source of ['echo ok', 'ls | cat', 'sleep 1 &', '']) expect(incomplete(source), source).toBe(null);
});

it('looks for the end of input behind aliases', () => {
	const aliases = new Map(
		Object.entries({ begin: 'if true; then', to: '|', join: '\\', e: 'echo ', text: 'cat <<E', none: '' })
	);
	const isIncomplete = (source: string) => {
		try {
			parse(source, { aliases, extglob: false });
			return false;
		} catch (error) {
			return error instanceof ShellSyntaxError && error.incomplete;
		}
	};
	for (const source of ['begin', 'e join\n', 'text\na\n', 'none echo |\n', 'joi\\\n'])
		expect(isIncomplete(source), source).toBe(true);
	for (const source of ['begin echo; fi', 'e join\na', 'text\na\nE\n', 'e begin', 'none\n', 'ls to'])
		expect(isIncomplete(source), source).toBe(false);
});

it('matches shell patterns', () => {
	const matches = (pattern: string, text: string) => globRegExp(pattern).test(text);
	expect(matches('a*c', 'abbc')).toBe(true);
	expect(matches('[!a-c]?', 'dx')).toBe(true);
	expect(matches('[[:digit:]]*', '5x')).toBe(true);
	expect(matches('@(a|b)*.ts', 'b1.ts')).toBe(true);
	expect(matches('!(*.js)', 'a.js')).toBe(false);
	expect(matches('\\*', 'x')).toBe(false);
	expect(matches('a.c', 'abc')).toBe(false);
});

it('splits at IFS as POSIX says', () => {
	const split = (text: string, separators: string) => {
		const builder = new FieldBuilder(separators);
		builder.addSplit(text);
		return builder.result().map(fieldText);
	};
	expect(split('  a  b ', ' \t\n')).toEqual(['a', 'b']);
	expect(split('a::b', ':')).toEqual(['a', '', 'b']);
	expect(split('a : b', ' :')).toEqual(['a', 'b']);
	expect(split('', ' ')).toEqual([]);
});

it('formats as printf does', () => {
	const text = (format: string, ...values: string[]) => formatPrintf(format, values).text;
	expect(text('%5.1f|%-4s|%04d|%x|%o|%e', '3.14159', 'ab', '-7', '255', '8', '1500')).toBe(
		'  3.1|ab  |-007|ff|10|1.500000e+03'
	);
	expect(text('%s,', 'a', 'b', 'c')).toBe('a,b,c,');
	expect(text('%d %d', "'A", '0x10')).toBe('65 16');
	expect(text('%b', 'a\\tb')).toBe('a\tb');
	expect(encode(text('\\xff'))).toEqual(Uint8Array.of(255));
});

it('carries any bytes through strings unharmed', () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
			expect([...encode(decode(bytes))]).toEqual([...bytes]);
		})
	);
});

it('holds writers back, passes bytes on in order and tells of a closed reader', async () => {
	const { reader, writer } = memoryPipe();
	const order: string[] = [];
	const writing = (async () => {
		for (let index = 0; index < 3; index++) {
			await writer.write(new Uint8Array(65536).fill(index));
			order.push(`wrote ${index}`);
		}
	})();
	await Promise.resolve();
	expect(order.length).toBeLessThan(2);
	const input = new OpenFile(reader);
	expect((await input.read(10)).length).toBe(10);
	while (order.length < 2) await input.read(65536);
	reader.close();
	await expect(writing).rejects.toBeInstanceOf(BrokenPipe);
});

it('gives lines one at a time and takes back what was read too far', async () => {
	const { reader, writer } = memoryPipe();
	await writer.write(encode('one\ntwo\nrest'));
	writer.close();
	const input = new OpenFile(reader);
	expect(decode((await input.readUntil(10)) ?? new Uint8Array())).toBe('one\n');
	expect(decode((await input.readUntil(10)) ?? new Uint8Array())).toBe('two\n');
	input.unread(encode('back '));
	expect(decode(await input.readAll())).toBe('back rest');
});
