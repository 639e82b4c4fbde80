import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'string_decoder/';
import { nodeError } from '../runtime/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { EventEmitter } from './events.ts';

interface Options {
	input: Readable & { isTTY?: boolean };
	output?: Writable;
	prompt?: string;
	terminal?: boolean;
	signal?: AbortSignal;
}
type Answer = (line: string) => void;

/** A line reader. The terminal itself edits the line (cooked mode), so keys are not seen one by one. */
export class Interface extends EventEmitter {
	readonly #options: Options;
	readonly #decoder = new StringDecoder('utf8');
	#rest = '';
	#prompt: string;
	#answer: Answer | null = null;
	readonly #early: string[] = [];
	closed = false;
	terminal: boolean;
	line = '';
	cursor = 0;

	constructor(first: Options | Options['input'], output?: Writable) {
		super();
		this.#options = 'input' in first ? first : { input: first, output };
		this.#prompt = this.#options.prompt ?? '> ';
		this.terminal = this.#options.terminal ?? this.#options.input.isTTY === true;
		const { input } = this.#options;
		input.on('data', this.#data);
		input.on('end', this.#end);
		input.on('error', this.#failed);
		input.resume();
		this.#options.signal?.addEventListener('abort', () => this.close(), { once: true });
	}

	readonly #data = (chunk: Uint8Array | string) => {
		this.#rest += typeof chunk === 'string' ? chunk : this.#decoder.write(chunk as never);
		const lines = this.#rest.split(/\r\n|\n|\r(?!$)/);
		this.#rest = lines.pop() ?? '';
		for (const line of lines) this.#line(line);
	};

	readonly #end = () => {
		if (this.#rest) this.#line(this.#rest.replace(/\r$/, ''));
		this.#rest = '';
		this.close();
	};

	readonly #failed = (error: Error) => this.emit('error', error);

	#line(line: string): void {
		if (this.closed) return;
		const answer = this.#answer;
		this.#answer = null;
		if (answer) answer(line);
		else if (this.listenerCount('line') > 0) this.emit('line', line);
		else this.#early.push(line);
	}

	override on(event: string | symbol, listener: (...args: never[]) => void): this {
		super.on(event, listener as never);
		if (event === 'line') for (const line of this.#early.splice(0)) this.emit('line', line);
		return this;
	}

	setPrompt(prompt: string): void {
		this.#prompt = prompt;
	}

	getPrompt(): string {
		return this.#prompt;
	}

	prompt(): void {
		this.#options.input.resume();
		this.#options.output?.write(this.#prompt);
	}

	question(text: string, ...rest: unknown[]): void {
		if (this.closed) throw nodeError(Error, 'ERR_USE_AFTER_CLOSE', 'readline was closed');
		this.#options.output?.write(text);
		const answer = rest.at(-1) as Answer;
		const early = this.#early.shift();
		if (early === undefined) this.#answer = answer;
		else queueMicrotask(() => answer(early));
	}

	write(text: string): void {
		this.#data(text);
	}

	pause(): this {
		this.#options.input.pause();
		this.emit('pause');
		return this;
	}

	resume(): this {
		this.#options.input.resume();
		this.emit('resume');
		return this;
	}

	close(): void {
		if (this.closed) return;
		this.closed = true;
		const { input } = this.#options;
		input.off('data', this.#data);
		input.off('end', this.#end);
		input.off('error', this.#failed);
		input.pause();
		this.emit('close');
	}

	async *[Symbol.asyncIterator](): AsyncGenerator<string> {
		const lines: string[] = [];
		let wake: () => void = () => {};
		this.on('line', ((line: string) => {
			lines.push(line);
			wake();
		}) as never);
		this.once('close', () => wake());
		for (;;) {
			const line = lines.shift();
			if (line !== undefined) yield line;
			else if (this.closed) return;
			else await new Promise<void>((resolve) => (wake = resolve));
		}
	}
}

const sequence = (stream: Writable, text: string, done?: unknown) =>
	stream.write(text, typeof done === 'function' ? (done as () => void) : undefined);

export function createReadline(runtime: Runtime): Record<string, unknown> {
	return {
		Interface,
		createInterface: (first: Options, output?: Writable) => new Interface(first, output),
		clearLine: (stream: Writable, direction: number, done?: unknown) =>
			sequence(stream, `\x1b[${direction < 0 ? 1 : direction > 0 ? 0 : 2}K`, done),
		cursorTo: (stream: Writable, x: number, y?: unknown, done?: unknown) =>
			sequence(
				stream,
				typeof y === 'number' ? `\x1b[${y + 1};${x + 1}H` : `\x1b[${x + 1}G`,
				typeof y === 'function' ? y : done
			),
		moveCursor: (stream: Writable, dx: number, dy: number, done?: unknown) =>
			sequence(
				stream,
				(dx ? `\x1b[${Math.abs(dx)}${dx > 0 ? 'C' : 'D'}` : '') +
					(dy ? `\x1b[${Math.abs(dy)}${dy > 0 ? 'B' : 'A'}` : ''),
				done
			),
		clearScreenDown: (stream: Writable, done?: unknown) => sequence(stream, '\x1b[0J', done),
		emitKeypressEvents: () => undefined,
		promises: createReadlinePromises(runtime)
	};
}

/** `node:readline/promises`. */
export function createReadlinePromises(_runtime: Runtime): Record<string, unknown> {
	class PromiseInterface extends Interface {
		override question(text: string, ..._rest: unknown[]): never {
			return new Promise<string>((resolve) => super.question(text, resolve)) as never;
		}
	}
	return {
		Interface: PromiseInterface,
		createInterface: (first: Options, output?: Writable) => new PromiseInterface(first, output)
	};
}
