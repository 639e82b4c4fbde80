import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { Interface } from '#computer/node/modules/readline/interface.ts';
import { type Key, KeyDecoder } from '#computer/node/modules/readline/key-decoder.ts';
import { emitKeypressEvents } from '#computer/node/modules/readline/keypress.ts';
import { createReadlinePromises } from '#computer/node/modules/readline/promises.ts';

/** Opens a terminal of 20 columns, and a line reader on it. */
function open(options: Partial<ConstructorParameters<typeof Interface>[0]> = {}) {
	const input = Object.assign(new PassThrough(), {
		isTTY: true,
		isRaw: false,
		setRawMode(raw: boolean) {
			input.isRaw = raw;
			return input;
		}
	});
	const output = Object.assign(new PassThrough(), { isTTY: true, columns: 20 });
	let shown = '';
	output.on('data', (chunk: Uint8Array) => (shown += String(chunk)));
	const rl = new Interface({ input, output, ...options });
	const lines: string[] = [];
	rl.on('line', (line: string) => lines.push(line));
	return { input, output, rl, lines, shown: () => shown };
}

const names = (keys: Key[]) =>
	keys.map(({ name, ctrl, meta, shift }) => `${ctrl ? 'C-' : ''}${meta ? 'M-' : ''}${shift ? 'S-' : ''}${name}`);

it('tells keys apart as terminals send them', () => {
	const decoder = new KeyDecoder();
	expect(names(decoder.push('aB1 \r\n\t\x7f\x03'))).toEqual([
		'a',
		'S-b',
		'1',
		'space',
		'return',
		'enter',
		'tab',
		'backspace',
		'C-c'
	]);
	expect(names(decoder.push('\x1b[A\x1bOB\x1b[1;5C\x1b[5D\x1b[3~\x1b[Z\x1b[15~\x1bb\x1b[200~'))).toEqual([
		'up',
		'down',
		'C-right',
		'C-left',
		'delete',
		'S-tab',
		'f5',
		'M-b',
		'paste-start'
	]);
	expect(decoder.push('\x1b[1;')).toEqual([]);
	expect(names(decoder.push('2A'))).toEqual(['S-up']);
	expect(decoder.push('\x1b')).toEqual([]);
	expect(decoder.giveUp()).toEqual([{ sequence: '\x1b', name: 'escape', ctrl: false, meta: false, shift: false }]);
	expect(decoder.push('é')).toEqual([{ sequence: 'é', name: undefined, ctrl: false, meta: false, shift: false }]);
});

it('tells of keys only while someone listens, and of an escape that nothing follows', async () => {
	const input = new PassThrough();
	emitKeypressEvents(input, { escapeCodeTimeout: 1 });
	const pressed: [string | undefined, string | undefined][] = [];
	input.on('keypress', (text: string | undefined, key: Key) => pressed.push([text, key.name]));
	input.write('x\x1b[B');
	await vi.waitFor(() =>
		expect(pressed).toEqual([
			['x', 'x'],
			[undefined, 'down']
		])
	);
	input.write('\x1b');
	await vi.waitFor(() => expect(pressed.at(-1)).toEqual(['\x1b', 'escape']));
});

it('edits the line key by key, in a raw terminal, and gives it back at the end', async () => {
	const { input, rl, lines, shown } = open({ prompt: '? ' });
	expect(input.isRaw).toBe(true);
	rl.prompt();
	input.write('world\x01hello \x05!\x1b[D\x7fd\x17s\r');
	await vi.waitFor(() => expect(lines).toEqual(['hello s!']));
	input.write('one two\x1bb\x0b\x19\x19\r\x1b[A\x1b[Ax\r\x1b[A\x1b[A\x1b[A\x1b[B\r');
	await vi.waitFor(() => expect(lines.slice(1)).toEqual(['one twotwo', 'hello s!x', 'one twotwo']));
	expect(shown()).toContain('? ');
	rl.close();
	expect(input.isRaw).toBe(false);
	expect(input.isPaused()).toBe(true);
});

it('draws a line that wraps where it stands', async () => {
	const { input, rl, shown } = open({ prompt: '> ' });
	rl.prompt();
	input.write('123456789012345678901234');
	await vi.waitFor(() => expect(rl.line).toHaveLength(24));
	expect(rl.getCursorPos()).toEqual({ rows: 1, cols: 6 });
	input.write('\x01');
	await vi.waitFor(() => expect(rl.cursor).toBe(0));
	expect(rl.getCursorPos()).toEqual({ rows: 0, cols: 2 });
	// Up one row, to the left edge, clear everything below, and redraw.
	expect(shown()).toContain('\x1b[1A\x1b[1G\x1b[0J> 1234');
});

it('asks, completes and says when Ctrl-C is pressed', async () => {
	const { input, rl, shown } = open({
		completer: (line: string) => [['foobar', 'foobaz'].filter((c) => c.startsWith(line)), line]
	});
	let answer = '';
	rl.question('name? ', (given: string) => (answer = given));
	input.write('f\t');
	await vi.waitFor(() => expect(rl.line).toBe('fooba'));
	input.write('\t\t');
	await vi.waitFor(() => expect(shown()).toContain('foobar  foobaz'));
	input.write('z\r');
	await vi.waitFor(() => expect(answer).toBe('foobaz'));
	expect(rl.getPrompt()).toBe('> ');
	const interrupted = vi.fn();
	rl.on('SIGINT', interrupted);
	input.write('\x03');
	await vi.waitFor(() => expect(interrupted).toHaveBeenCalledOnce());
	rl.removeAllListeners('SIGINT');
	input.write('\x03');
	await vi.waitFor(() => expect(rl.closed).toBe(true));
	expect(() => rl.question('?', () => {})).toThrow(/readline was closed/);
});

it('answers with promises, which a signal ends', async () => {
	const { createInterface } = createReadlinePromises() as { createInterface: (options: object) => Interface };
	const input = new PassThrough();
	const rl = createInterface({ input });
	const ask = (query: string, options?: object) => rl.question(query, options) as unknown as Promise<string>;
	const answer = ask('name? ');
	input.write('Ann\r\n');
	expect(await answer).toBe('Ann');
	const ending = new AbortController();
	const given = ask('more? ', { signal: ending.signal });
	ending.abort();
	await expect(given).rejects.toMatchObject({ name: 'AbortError', code: 'ABORT_ERR' });
});
