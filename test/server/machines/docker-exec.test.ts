import { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TerminalSize } from '#environment/contract.ts';
import type { ExecChannel, ExecProcess, ExecTerminal } from '#environment/prefix/exec-channel.ts';
import { dockerChannel } from '#server/machines/docker-exec.ts';
import { inTime } from '#test/in-time.ts';

/** The connection of an exec: `received` has what was sent to the program. */
class Connection extends Duplex {
	received = '';
	isInputEnded = false;
	override _read(): void {}
	override _write(chunk: Buffer, _encoding: string, done: () => void): void {
		this.received += String(chunk);
		done();
	}
	override _final(done: () => void): void {
		this.isInputEnded = true;
		done();
	}
	/** Sends one frame of an output. */
	frame(output: number, text: string): void {
		const header = Buffer.alloc(8);
		header[0] = output;
		header.writeUInt32BE(Buffer.byteLength(text), 4);
		this.push(Buffer.concat([header, Buffer.from(text)]));
	}
}

interface Situation {
	code?: number | null;
	/** Reason why the program cannot be started, or its exit code not be determined. */
	notStarted?: unknown;
	notInspected?: Error;
	/** Resolves when the engine connects. */
	connects?: Promise<unknown>;
	resizes?: () => Promise<void>;
}

function containerOf(situation: Situation = {}) {
	const connection = new Connection();
	const execs: unknown[] = [];
	const starts: unknown[] = [];
	const sizes: unknown[] = [];
	const exec = {
		start: async (options: unknown) => {
			starts.push(options);
			await situation.connects;
			return connection;
		},
		inspect: async () => {
			if (situation.notInspected) throw situation.notInspected;
			return { ExitCode: situation.code === undefined ? 0 : situation.code };
		},
		resize: async (size: unknown) => {
			sizes.push(size);
			await situation.resizes?.();
		}
	};
	const container = {
		exec: async (options: unknown) => {
			execs.push(options);
			if (situation.notStarted !== undefined) throw situation.notStarted;
			return exec;
		}
	};
	// Only these calls of the engine's library are made.
	const channel = dockerChannel(container as unknown as Docker.Container);
	return { channel, connection, execs, starts, sizes };
}

/** Code with which a program exits or closes. */
const codeOf = (program: ExecProcess, event: 'exit' | 'close'): Promise<number | null> =>
	inTime(new Promise((resolve) => program.once(event, resolve)), `the ${event} of the program`);

const openTerminal = (channel: ExecChannel, size: TerminalSize): ExecTerminal => {
	if (!channel.openTerminal) throw new Error('There are terminals.');
	return channel.openTerminal(['sh'], size);
};

const textOf = async (output: NodeJS.ReadableStream): Promise<string> => {
	const readAll = async (): Promise<string> => {
		let text = '';
		for await (const chunk of output) text += String(chunk);
		return text;
	};
	return inTime(readAll(), 'the end of an output');
};

const exitOf = (terminal: ExecTerminal): Promise<number> => inTime(terminal.exited, 'the end of the terminal');

/** Unhandled rejections: each would end the server. */
function unhandledRejections(): unknown[] {
	const reasons: unknown[] = [];
	const note = (reason: unknown): void => void reasons.push(reason);
	process.on('unhandledRejection', note);
	onTestFinished(() => void process.off('unhandledRejection', note));
	return reasons;
}

describe('a program in a container', () => {
	it('gets its input, and gives its outputs and its code', async () => {
		const { channel, connection, execs, starts } = containerOf({ code: 3 });
		expect(channel.name).toBe('Docker');
		const program = channel.open(['sh', '-c', 'true']);
		program.stdin.end('input');
		const exit = codeOf(program, 'exit');
		const close = codeOf(program, 'close');
		await expect.poll(() => connection.isInputEnded).toBe(true);
		expect(connection.received).toBe('input');
		connection.frame(1, 'out');
		connection.frame(2, 'err');
		connection.push(null);
		expect(await Promise.all([textOf(program.stdout), textOf(program.stderr)])).toEqual(['out', 'err']);
		expect([await exit, await close]).toEqual([3, 3]);
		const streams = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: false };
		expect(execs).toEqual([{ Cmd: ['sh', '-c', 'true'], ...streams }]);
		expect(starts).toEqual([{ hijack: true, stdin: true, Tty: false }]);
		expect(program.stdin.destroyed).toBe(true);
	});

	it('closes after its outputs were read', async () => {
		const { channel, connection } = containerOf();
		const program = channel.open(['true']);
		let isClosed = false;
		program.once('close', () => (isClosed = true));
		const exit = codeOf(program, 'exit');
		connection.frame(1, 'out');
		connection.push(null);
		await exit;
		await new Promise(setImmediate);
		expect(isClosed).toBe(false);
		program.stdout.resume();
		program.stderr.resume();
		await expect.poll(() => isClosed).toBe(true);
	});

	it('that is killed has no code, before it runs and while it does', async () => {
		for (const isEarly of [true, false]) {
			let connect = (): void => undefined;
			const connects = new Promise<void>((resolve) => (connect = resolve));
			const { channel, connection, starts } = containerOf({ code: 137, connects });
			const program = channel.open(['sleep', '9']);
			program.stdout.resume();
			program.stderr.resume();
			const close = codeOf(program, 'close');
			await expect.poll(() => starts).toHaveLength(1);
			if (isEarly) expect(program.kill()).toBe(true);
			connect();
			if (!isEarly) {
				await new Promise(setImmediate);
				expect(program.kill()).toBe(true);
			}
			expect(await close).toBeNull();
			expect(connection.destroyed).toBe(true);
		}
	});

	it('ends with its connection, however that fails, and its input fails without ending the server', async () => {
		const { channel, connection, starts } = containerOf({ code: 9 });
		const program = channel.open(['cat']);
		program.stdout.resume();
		program.stderr.resume();
		const close = codeOf(program, 'close');
		await expect.poll(() => starts).toHaveLength(1);
		await new Promise(setImmediate);
		program.stdin.emit('error', new Error('The page is gone.'));
		connection.emit('error', new Error('The connection was reset.'));
		expect(await close).toBe(9);
	});

	it('that cannot be started ends with 127 and the reason, its streams closed', async () => {
		const reason = new Error('The container is paused.');
		const { channel } = containerOf({ notStarted: reason });
		const program = channel.open(['true']);
		const errors: unknown[] = [];
		program.once('error', (error) => errors.push(error));
		const [close, ...texts] = await Promise.all([
			codeOf(program, 'close'),
			textOf(program.stdout),
			textOf(program.stderr)
		]);
		expect([close, texts, errors]).toEqual([127, ['', ''], [reason]]);
		expect(program.stdin.destroyed).toBe(true);
		// Without a listener for the reason it still ends.
		const other = containerOf({ notStarted: reason }).channel.open(['true']);
		expect(await codeOf(other, 'close')).toBe(127);
	});
});

describe('a terminal in a container', () => {
	const SIZE = { columns: 80, rows: 24 };

	it('has one stream both ways, a size and a code', async () => {
		const { channel, connection, execs, starts, sizes } = containerOf({ code: 5 });
		const terminal = openTerminal(channel, SIZE);
		const output = textOf(terminal.output);
		terminal.input.write('typed');
		await expect.poll(() => connection.received).toBe('typed');
		terminal.resize({ columns: 100, rows: 50 });
		await expect
			.poll(() => sizes)
			.toEqual([
				{ h: 24, w: 80 },
				{ h: 50, w: 100 }
			]);
		connection.push('shown');
		connection.push(null);
		expect([await exitOf(terminal), await output]).toEqual([5, 'shown']);
		expect(terminal.input.destroyed).toBe(true);
		expect(execs).toEqual([{ Cmd: ['sh'], AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: true }]);
		expect(starts).toEqual([{ hijack: true, stdin: true, Tty: true }]);
	});

	it('holds what is typed until its new size is there', async () => {
		const pending: (() => void)[] = [];
		const { channel, connection } = containerOf({
			resizes: () => new Promise((resolve) => void pending.push(resolve))
		});
		const terminal = openTerminal(channel, SIZE);
		await expect.poll(() => pending).toHaveLength(1);
		terminal.input.write('typed');
		terminal.resize({ columns: 1, rows: 1 });
		await expect.poll(() => pending).toHaveLength(2);
		pending[0]?.();
		await new Promise(setImmediate);
		expect(connection.received).toBe('');
		pending[1]?.();
		await expect.poll(() => connection.received).toBe('typed');
		terminal.close();
		await exitOf(terminal);
	});

	it('holds what is typed after each new size, and takes one from before it runs', async () => {
		const rejections = unhandledRejections();
		const pending: (() => void)[] = [];
		const { channel, connection, sizes } = containerOf({
			resizes: () => new Promise((resolve) => void pending.push(resolve))
		});
		const terminal = openTerminal(channel, SIZE);
		terminal.resize({ columns: 132, rows: 43 });
		await expect.poll(() => pending).toHaveLength(1);
		expect(sizes).toEqual([{ h: 43, w: 132 }]);
		pending[0]?.();
		terminal.input.write('first');
		await expect.poll(() => connection.received).toBe('first');
		terminal.resize(SIZE);
		terminal.input.write(' second');
		await new Promise(setImmediate);
		expect(connection.received).toBe('first');
		pending[1]?.();
		await expect.poll(() => connection.received).toBe('first second');
		terminal.close();
		await exitOf(terminal);
		expect(rejections).toEqual([]);
	});

	it('ends with its connection, however that fails, and its input fails without ending the server', async () => {
		const { channel, connection, sizes } = containerOf({ code: 9 });
		const terminal = openTerminal(channel, SIZE);
		await expect.poll(() => sizes).toHaveLength(1);
		terminal.input.emit('error', new Error('The page is gone.'));
		connection.emit('error', new Error('The connection was reset.'));
		expect(await exitOf(terminal)).toBe(9);
	});

	it('goes on where its size cannot be changed', async () => {
		const { channel, connection } = containerOf({ resizes: () => Promise.reject(new Error('It has ended.')) });
		const terminal = openTerminal(channel, SIZE);
		terminal.input.write('typed');
		await expect.poll(() => connection.received).toBe('typed');
		terminal.close();
		await exitOf(terminal);
	});

	it('that is closed ends, before it runs and while it does, by a hangup where nothing else is known', async () => {
		for (const isEarly of [true, false]) {
			let connect = (): void => undefined;
			const connects = new Promise<void>((resolve) => (connect = resolve));
			const { channel, connection, starts } = containerOf({ code: null, connects });
			const terminal = openTerminal(channel, SIZE);
			await expect.poll(() => starts).toHaveLength(1);
			if (isEarly) terminal.close();
			connect();
			if (!isEarly) {
				await new Promise(setImmediate);
				terminal.close();
			}
			expect(await exitOf(terminal)).toBe(129);
			expect(connection.destroyed).toBe(true);
		}
	});

	it.each([
		[new Error('No such container.'), '\r\nNo such container.\r\n'],
		['a text', '\r\na text\r\n']
	])('that cannot be opened shows why: %s', async (notStarted, shown) => {
		const terminal = openTerminal(containerOf({ notStarted }).channel, SIZE);
		expect(await Promise.all([exitOf(terminal), textOf(terminal.output)])).toEqual([127, shown]);
	});
});
