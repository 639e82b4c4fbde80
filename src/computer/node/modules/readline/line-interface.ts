import { StringDecoder } from '../string-decoder.ts';
import { nodeError } from '../../runtime/errors.ts';
import { EventEmitter } from '../events.ts';
import type { Options, TerminalInput, TerminalOutput } from './options.ts';

type Answer = (line: string) => void;
const LINE_END = /\r\n|\n|\r(?!\n)/;

/** Reads lines of a stream without editing: a pipe, a file, a terminal in its own line mode. */
export class LineInterface extends EventEmitter {
	readonly input: TerminalInput;
	readonly output: TerminalOutput | null;
	readonly terminal: boolean;
	line = '';
	closed = false;
	paused = false;
	crlfDelay: number;
	escapeCodeTimeout: number;
	#decoder = new StringDecoder('utf8');
	#rest = '';
	#endedInReturnMs = 0;
	#prompt: string;
	#promptBefore = '';
	#answer: Answer | null = null;

	constructor(options: Options) {
		super();
		const { input, output = null, terminal, prompt = '> ', signal } = options;
		this.input = input;
		this.output = output;
		this.terminal = terminal ?? output?.isTTY === true;
		this.crlfDelay = Math.max(100, options.crlfDelay ?? 100);
		this.escapeCodeTimeout = options.escapeCodeTimeout ?? 500;
		this.#prompt = prompt;
		input.on('error', this.#failed);
		if (signal?.aborted) queueMicrotask(() => this.close());
		else signal?.addEventListener('abort', () => this.close(), { once: true });
	}

	/** Called when the subclass that edits is initialized, too. */
	protected listen(): void {
		const { input } = this;
		input.on('data', this.#arrived);
		input.on('end', this.#ended);
		this.once('close', () => {
			input.off('data', this.#arrived);
			input.off('end', this.#ended);
		});
	}

	readonly #failed = (error: Error) => void this.emit('error', error);

	readonly #arrived = (chunk: Uint8Array | string) => this._normalWrite(chunk);

	readonly #ended = () => {
		this.#rest += this.#decoder.end();
		if (this.#rest !== '') this._onLine(this.#rest);
		this.#rest = '';
		this.close();
	};

	_normalWrite(chunk: Uint8Array | string | null | undefined): void {
		if (chunk === undefined || chunk === null) return;
		let text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk as Buffer);
		if (this.#endedInReturnMs > 0 && Date.now() - this.#endedInReturnMs <= this.crlfDelay && text.startsWith('\n')) {
			text = text.slice(1);
		}
		this.#endedInReturnMs = text.endsWith('\r') ? Date.now() : 0;
		const lines = (this.#rest + text).split(LINE_END);
		this.#rest = lines.pop() ?? '';
		for (const line of lines) this._onLine(line);
	}

	_onLine(line: string): void {
		const answer = this.#answer;
		if (!answer) return void this.emit('line', line);
		this.#answer = null;
		this.setPrompt(this.#promptBefore);
		answer(line);
	}

	setPrompt(prompt: string): void {
		this.#prompt = prompt;
	}

	getPrompt(): string {
		return this.#prompt;
	}

	get _prompt(): string {
		return this.#prompt;
	}

	set _prompt(prompt: string) {
		this.#prompt = prompt;
	}

	prompt(_preserveCursor?: boolean): void {
		if (this.paused) this.resume();
		this._writeToOutput(this.#prompt);
	}

	/** @throws ERR_USE_AFTER_CLOSE */
	question(query: string, ...rest: unknown[]): void {
		if (this.closed) throw nodeError(Error, 'ERR_USE_AFTER_CLOSE', 'readline was closed');
		const answer = rest.at(-1);
		if (typeof answer !== 'function') return;
		if (this.#answer) return this.prompt();
		const { signal } = Object(rest.length > 1 ? rest[0] : {}) as { signal?: AbortSignal };
		if (signal?.aborted) return;
		signal?.addEventListener('abort', () => this._questionCancel(), { once: true });
		this.#promptBefore = this.#prompt;
		this.setPrompt(query);
		this.#answer = answer as Answer;
		this.prompt();
	}

	/** Cancels the pending question. */
	_questionCancel(): void {
		if (!this.#answer) return;
		this.#answer = null;
		this.setPrompt(this.#promptBefore);
	}

	_writeToOutput(text: string): void {
		this.output?.write(text);
	}

	write(text: string | Uint8Array | null, _key?: unknown): void {
		if (this.paused) this.resume();
		this._normalWrite(text);
	}

	pause(): this {
		if (this.paused) return this;
		this.input.pause();
		this.paused = true;
		this.emit('pause');
		return this;
	}

	resume(): this {
		if (!this.paused) return this;
		this.input.resume();
		this.paused = false;
		this.emit('resume');
		return this;
	}

	close(): void {
		if (this.closed) return;
		this.pause();
		this.input.off('error', this.#failed);
		this.closed = true;
		this.emit('close');
	}

	[Symbol.asyncIterator](): AsyncGenerator<string> {
		const lines: string[] = [];
		let wake: () => void = () => {};
		this.on('line', (line: string) => {
			lines.push(line);
			wake();
		});
		this.once('close', () => wake());
		const isClosed = () => this.closed;
		const next = async function* (): AsyncGenerator<string> {
			for (;;) {
				const line = lines.shift();
				if (line !== undefined) yield line;
				else if (isClosed()) return;
				else await new Promise<void>((resolve) => (wake = resolve));
			}
		};
		return next();
	}
}
