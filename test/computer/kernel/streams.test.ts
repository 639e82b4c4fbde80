import { describe, expect, it } from 'vitest';
import { Process } from '#computer/kernel/processes/process.ts';
import { LineDiscipline } from '#computer/kernel/streams/line-discipline.ts';
import { Output } from '#computer/kernel/streams/output.ts';
import { Pipe } from '#computer/kernel/streams/pipe.ts';
import { Terminal } from '#computer/kernel/streams/terminal.ts';
import { COOKED, type TerminalSettings } from '#computer/abi/terminal-settings.ts';
import { PIPE_BYTES, UNREAD_OUTPUT_BYTES } from '#computer/abi/limits.ts';

const settled = async (promise: unknown): Promise<boolean> => {
	let done = false;
	void Promise.resolve(promise).then(() => (done = true));
	await new Promise((resolve) => setTimeout(resolve));
	return done;
};

describe('a pipe', () => {
	const open = () => {
		const pipe = new Pipe();
		pipe.reader.retain();
		pipe.writer.retain();
		return pipe;
	};

	it('makes a writer wait when 64 KiB are unread, and loses nothing', async () => {
		const pipe = open();
		expect(pipe.write(new Uint8Array(PIPE_BYTES), null)).toBeUndefined();
		const waiting = pipe.write(new Uint8Array([1, 2, 3]), null);
		expect(await settled(waiting)).toBe(false);
		expect(await pipe.read(10, null)).toHaveLength(10);
		expect(await settled(waiting)).toBe(true);
		expect(await pipe.read(PIPE_BYTES, null)).toHaveLength(PIPE_BYTES - 7);
	});

	it('makes a reader wait until there is something, and ends when the writers are gone', async () => {
		const pipe = open();
		const waiting = pipe.read(10, null);
		expect(await settled(waiting)).toBe(false);
		await pipe.write(new Uint8Array([7]), null);
		expect([...(await waiting)]).toEqual([7]);
		const last = pipe.read(10, null);
		pipe.writer.release();
		expect(await last).toHaveLength(0);
	});

	it('breaks for a writer when no one reads any more', async () => {
		const pipe = open();
		const waiting = Promise.resolve(pipe.write(new Uint8Array(PIPE_BYTES + 1), null));
		pipe.reader.release();
		await expect(waiting).rejects.toMatchObject({ code: 'EPIPE' });
		expect(() => pipe.write(new Uint8Array(1), null)).toThrow(/broken pipe/);
		expect(() => pipe.write(new Uint8Array(0), null)).not.toThrow();
	});
});

describe('output to the page', () => {
	it('waits for a page that is behind, and for none that has gone', async () => {
		let sent = 0;
		const output = new Output((bytes) => (sent += bytes.length));
		const waiting = output.write(new Uint8Array(UNREAD_OUTPUT_BYTES + 1));
		expect(await settled(waiting)).toBe(false);
		output.taken(1);
		expect(await settled(waiting)).toBe(true);
		const abandoned = output.write(new Uint8Array(1));
		output.abandon();
		expect(await settled(abandoned)).toBe(true);
		expect(sent).toBe(UNREAD_OUTPUT_BYTES + 2);
	});
});

describe('typing a line', () => {
	const type = (keys: string, settings?: TerminalSettings) => {
		const seen = { echo: '', lines: [] as string[], interrupts: 0 };
		const discipline = new LineDiscipline({
			echo: (text) => (seen.echo += text),
			line: (bytes) => seen.lines.push(new TextDecoder().decode(bytes)),
			interrupt: () => seen.interrupts++
		});
		// Byte by byte, as a slow terminal would send it.
		for (const byte of new TextEncoder().encode(keys)) discipline.type(Uint8Array.of(byte), settings);
		return seen;
	};

	it('echoes, and hands a line over at Enter', () => {
		expect(type('ls -l\r')).toEqual({ echo: 'ls -l\n', lines: ['ls -l\n'], interrupts: 0 });
	});

	it('takes back a character, a word, a line', () => {
		expect(type('caté\x7f\x7fr\r').lines).toEqual(['car\n']);
		expect(type('one two  \x17x\r').lines).toEqual(['one x\n']);
		expect(type('gone\x15kept\r').lines).toEqual(['kept\n']);
		expect(type('\x7f\x7fa\r')).toMatchObject({ echo: 'a\n', lines: ['a\n'] });
	});

	it('drops the line at Ctrl-C and ends the input at Ctrl-D', () => {
		expect(type('half\x03')).toEqual({ echo: 'half^C\n', lines: [], interrupts: 1 });
		expect(type('\x04').lines).toEqual(['']);
		expect(type('half\x04').lines).toEqual(['half']);
	});

	it('ignores arrow keys', () => {
		expect(type('a\x1b[A\x1b[1;5Cb\r').lines).toEqual(['ab\n']);
	});

	it('shows nothing without echo, and hands over single keys as they are pressed', () => {
		expect(type('secret\r', { ...COOKED, echo: false })).toEqual({ echo: '', lines: ['secret\n'], interrupts: 0 });
		const single = { ...COOKED, lines: false };
		expect(type('y\r', single)).toEqual({ echo: 'y\n', lines: ['y', '\n'], interrupts: 0 });
		expect(type('é\x03', single)).toMatchObject({ echo: 'é^C\n', interrupts: 1 });
		expect(type('\x03', { ...COOKED, signals: false })).toMatchObject({ interrupts: 0 });
	});
});

describe('the settings of a terminal', () => {
	const process = () => new Process(2, 1, 2, ['x'], '/', {});
	const open = () => {
		let shown = '';
		const output = new Output((bytes) => (shown += new TextDecoder().decode(bytes)));
		const terminal = new Terminal({ columns: 80, rows: 24 }, output, () => {});
		return { terminal, shown: () => shown };
	};
	const typed = (text: string) => new TextEncoder().encode(text);

	it('come back when the process that changed them has ended, unless they were to stay', () => {
		const { terminal, shown } = open();
		const [outer, inner, stty] = [process(), process(), process()];
		terminal.change(stty, { echo: false }, true);
		terminal.setMode(outer, 'raw');
		terminal.setMode(inner, 'raw');
		terminal.giveBack(inner);
		expect(terminal.change(outer, {}).lines).toBe(false);
		terminal.giveBack(outer);
		expect(terminal.change(outer, {})).toEqual({ ...COOKED, echo: false });
		terminal.type(typed('unseen\r'));
		expect(shown()).toBe('');
		expect(terminal.read(100, outer)).toEqual(typed('unseen\n'));
	});

	it('leave what is printed as it is, where a program asks for that', () => {
		const { terminal, shown } = open();
		terminal.change(process(), { feedsReturn: false });
		void terminal.print(typed('a\nb'));
		expect(shown()).toBe('a\nb');
	});
});
