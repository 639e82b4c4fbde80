import { describe, expect, it } from 'vitest';
import { LineDiscipline } from '../../../../src/environment/wasm/kernel/streams/line-discipline.ts';
import { Output } from '../../../../src/environment/wasm/kernel/streams/output.ts';
import { Pipe } from '../../../../src/environment/wasm/kernel/streams/pipe.ts';
import { PIPE_BYTES, UNREAD_OUTPUT_BYTES } from '../../../../src/environment/wasm/limits.ts';

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

	it('breaks for a writer when nobody reads any more', async () => {
		const pipe = open();
		const waiting = Promise.resolve(pipe.write(new Uint8Array(PIPE_BYTES + 1), null));
		pipe.reader.release();
		await expect(waiting).rejects.toMatchObject({ code: 'EPIPE' });
		expect(() => pipe.write(new Uint8Array(1), null)).toThrow(/broken pipe/);
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
	const type = (keys: string) => {
		const seen = { echo: '', lines: [] as string[], interrupts: 0 };
		const discipline = new LineDiscipline({
			echo: (text) => (seen.echo += text),
			line: (bytes) => seen.lines.push(new TextDecoder().decode(bytes)),
			interrupt: () => seen.interrupts++
		});
		// Byte by byte, as a slow terminal would send it.
		for (const byte of new TextEncoder().encode(keys)) discipline.type(Uint8Array.of(byte));
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
});
