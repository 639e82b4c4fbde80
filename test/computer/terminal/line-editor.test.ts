import { expect, it } from 'vitest';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { commonPrefix } from '#computer/terminal/completion.ts';
import { History } from '#computer/terminal/history.ts';
import { KeyReader } from '#computer/terminal/keys.ts';
import { LineEditor } from '#computer/terminal/line-editor.ts';
import { textWidth } from '#computer/terminal/width.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** The calls that a history makes, with the lines of earlier sessions. */
function historyOf(...lines: string[]): History {
	const calls: Pick<SyncSyscalls, 'statOrNull' | 'readFile' | 'appendFile'> = {
		statOrNull: () => ({
			...{ modifiedMs: 0, accessedMs: 0, changedMs: 0 },
			...{ kind: 'file', size: 1, mode: 0o100600, device: 1, inode: 1, links: 1 }
		}),
		readFile: () => bytes(lines.map((line) => `${line}\n`).join('')),
		appendFile: () => {}
	};
	return new History(calls as SyncSyscalls, '/home/user/.bash_history');
}

/** Resulting line after these keys are typed. */
async function typed(input: string, { columns = 80, choices = [] as string[], lines = ['first', 'second'] } = {}) {
	const pieces = [bytes(input)];
	let shown = '';
	const editor = new LineEditor(
		{
			write: (text) => (shown += text),
			columns: () => columns
		},
		historyOf(...lines),
		(before) => ({ replaces: /\S*$/.exec(before)?.[0].length ?? 0, choices, labels: choices })
	);
	const result = await editor.read('$ ', async () => pieces.shift() ?? new Uint8Array());
	return { line: result.kind === 'line' ? result.text : result.kind, shown };
}

it('moves, inserts and deletes with the keys of readline', async () => {
	expect((await typed('abc\x1b[D\x1b[DX\r')).line).toBe('aXbc');
	expect((await typed('world\x01hello \x05!\r')).line).toBe('hello world!');
	expect((await typed('one two three\x17\x17X\r')).line).toBe('one X');
	expect((await typed('keep drop\x1b[D\x1b[D\x1b[D\x1b[D\x0b\r')).line).toBe('keep ');
	expect((await typed('gone\x15back\x19\r')).line).toBe('backgone');
	expect((await typed('ab\x7f\x7fc\x1b[H\x1b[3~d\r')).line).toBe('d');
	expect((await typed('one two\x1bbX\r')).line).toBe('one Xtwo');
});

it('recalls and searches what was entered before', async () => {
	expect((await typed('\x1b[A\r')).line).toBe('second');
	expect((await typed('draft\x1b[A\x1b[A\x1b[B\x1b[B!\r')).line).toBe('draft!');
	expect((await typed('\x12fir\r')).line).toBe('first');
	expect((await typed('\x12s\x12\r', { lines: ['sad', 'so'] })).line).toBe('sad');
});

it('ends with Ctrl-C, and with Ctrl-D on an empty line only', async () => {
	expect((await typed('abc\x03')).line).toBe('cancel');
	expect((await typed('\x04')).line).toBe('end');
	expect((await typed('ab\x01\x04\r')).line).toBe('b');
});

it('completes what is certain and lists the rest at the second Tab', async () => {
	expect((await typed('cat fi\t\r', { choices: ['file.txt '] })).line).toBe('cat file.txt ');
	const several = await typed('cat f\t\t\t\r', { choices: ['fish', 'five'] });
	expect(several.line).toBe('cat fi');
	expect(several.shown).toContain('fish  five');
	expect(commonPrefix(['abc', 'abd'])).toBe('ab');
});

it('keeps a paste together, line ends and all', async () => {
	expect((await typed('\x1b[200~a\rb\x1b[201~\r')).line).toBe('a\nb');
});

it('puts sequences together that arrive in pieces', () => {
	const reader = new KeyReader();
	expect(reader.push(bytes('\x1b['))).toEqual([]);
	expect(reader.push(bytes('C'))).toEqual([{ kind: 'named', name: 'right' }]);
	const [first, second] = [bytes('é').subarray(0, 1), bytes('é').subarray(1)];
	expect(reader.push(first)).toEqual([]);
	expect(reader.push(second)).toEqual([{ kind: 'text', text: 'é' }]);
});

it('counts cells, not characters', async () => {
	expect(textWidth('\x1b[1mab\x1b[0m')).toBe(2);
	expect(textWidth('日本')).toBe(4);
	expect(textWidth('e\u0301')).toBe(1);
	// Two cells left of the end: the cursor moves over the whole wide character before it.
	expect((await typed('a日\x1b[D')).shown).toContain('\r\x1b[3C');
	// The cursor is on the second row, from which the next drawing starts.
	expect((await typed('abcdefghijkl', { columns: 10 })).shown).toContain('abcdefghijkl\r\x1b[4C');
});
