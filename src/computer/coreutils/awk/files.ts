import { decode, encode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { AwkError } from './faults.ts';
import { type Ending, type Piece, RecordReader } from './reader.ts';

const LIMIT = 64 * 1_048_576;
const MOST_BUFFERED = 65_536;

export type SinkKind = '>' | '>>' | '|' | '|&';

interface Sink {
	kind: SinkKind;
	text: string;
	/** Descriptor of the shell for a name such as `/dev/stderr`. */
	descriptor: number | null;
}

interface Source {
	reader: RecordReader;
	status: number;
}

/** Failure to open a redirection. */
export class RedirectionFault extends Error {}

const DEVICES: Record<string, number> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 };

function deviceOf(name: string): number | null {
	const number = DEVICES[name] ?? Number(/^\/dev\/fd\/(\d+)$/.exec(name)?.[1] ?? Number.NaN);
	return Number.isNaN(number) ? null : number;
}

/** Output, files and commands of a program, except its main input. All synchronous. */
export class AwkFiles {
	/** Pending output, in order across all descriptors. */
	#waiting: { descriptor: number; text: string }[] = [];
	#size = 0;
	readonly #sinks = new Map<string, Sink>();
	readonly #sources = new Map<string, Source>();
	/** Commands of which one end was closed separately. */
	readonly #closedTo = new Set<string>();
	readonly #closedFrom = new Set<string>();
	/** Standard input, if the program reads it as a file. */
	standardInput: RecordReader | null = null;

	constructor(private readonly call: Call) {}

	get isWaiting(): boolean {
		return this.#size > 32_768;
	}

	print(text: string, descriptor = 1): void {
		const last = this.#waiting.at(-1);
		if (last?.descriptor === descriptor) last.text += text;
		else this.#waiting.push({ descriptor, text });
		this.#size += text.length;
		if (this.#size > LIMIT) throw new AwkError('more than 64 MB of output before the next record');
	}

	/** Writes pending output. */
	async show(): Promise<void> {
		const waiting = this.#waiting;
		this.#waiting = [];
		this.#size = 0;
		for (const { descriptor, text } of waiting) await this.call.shell.descriptors.get(descriptor)?.write(encode(text));
	}

	/** @throws RedirectionFault */
	write(kind: SinkKind, name: string, text: string, by: string): void {
		if (kind === '|&' && this.#closedTo.has(name))
			throw new AwkError(`${by}: attempt to write to closed write end of two-way pipe`);
		let sink = this.#sinks.get(name);
		if (!sink) this.#sinks.set(name, (sink = this.#open(kind, name)));
		if (sink.descriptor !== null) return this.print(text, sink.descriptor);
		sink.text += text;
		if ((sink.kind === '>' || sink.kind === '>>') && sink.text.length > MOST_BUFFERED) this.#put(name, sink);
	}

	#open(kind: SinkKind, name: string): Sink {
		if (kind === '|&' && name.startsWith('/inet')) throw new RedirectionFault('Network is unreachable');
		if (kind === '|' || kind === '|&') return { kind, text: '', descriptor: null };
		const descriptor = name === '-' ? 1 : deviceOf(name);
		if (descriptor !== null) {
			if (!this.call.shell.descriptors.get(descriptor)) throw new RedirectionFault('Bad file descriptor');
			return { kind, text: '', descriptor };
		}
		try {
			const path = this.call.shell.path(name);
			const there = this.#files.statOrNull(path);
			if (there && !(there.mode & 0o200)) throw Object.assign(new Error(), { code: 'EACCES' });
			if (name !== '/dev/null') {
				if (kind === '>') this.#files.writeFile(path, new Uint8Array(), { mode: 0o666 & ~this.call.shell.umask });
				else this.#files.appendFile(path, new Uint8Array(), 0o666 & ~this.call.shell.umask);
			}
		} catch (error) {
			throw new RedirectionFault(reason(error));
		}
		return { kind, text: '', descriptor: null };
	}

	get #files() {
		return this.call.shell.host.context.sync;
	}

	#put(name: string, sink: { text: string }): void {
		if (name !== '/dev/null') this.#files.appendFile(this.call.shell.path(name), encode(sink.text));
		sink.text = '';
	}

	/**
	 * Returns the next record of a file or of a command's output; null at its end.
	 *
	 * @throws RedirectionFault if it cannot be read
	 */
	read(kind: 'file' | 'command' | 'coprocess', name: string, ending: Ending): Piece | null {
		const key = `${kind === 'file' ? '<' : '|'}${name}`;
		if (kind === 'coprocess' && this.#closedFrom.has(name))
			throw new AwkError('getline: attempt to read from closed read end of two-way pipe');
		let source = this.#sources.get(key);
		if (!source) this.#sources.set(key, (source = this.#source(kind, name)));
		const piece = source.reader.next(ending);
		return piece === 'more' ? null : piece;
	}

	#source(kind: 'file' | 'command' | 'coprocess', name: string): Source {
		if (kind === 'file') {
			if (name === '-' || deviceOf(name) === 0) return { reader: this.standardInput ?? filled(''), status: 0 };
			this.flushFiles();
			try {
				return {
					reader: filled(name === '/dev/null' ? '' : decode(this.#files.readFile(this.call.shell.path(name)))),
					status: 0
				};
			} catch (error) {
				throw new RedirectionFault(reason(error));
			}
		}
		const input = kind === 'coprocess' ? (this.#sinks.get(name)?.text ?? '') : null;
		if (kind === 'coprocess' && this.#sinks.has(name)) this.#sinks.get(name)!.text = '';
		const { text, status } = this.#run(name, input);
		return { reader: filled(text), status };
	}

	/** Runs a command in a separate shell; its stderr is passed on. */
	#run(command: string, input: string | null): { text: string; status: number } {
		this.flushFiles();
		const { shell } = this.call;
		const result = this.#files.run({
			argv: ['sh', '-c', command],
			cwd: shell.cwd,
			env: shell.environment(),
			...(input === null ? { stdin: 'null' as const } : { input: encode(input) })
		});
		if (result.stderr.length) this.print(decode(result.stderr), 2);
		return { text: decode(result.stdout), status: result.code };
	}

	/** Status of a command: above 256 if a signal ended it, as in gawk. */
	system(command: string): number {
		this.flushFiles();
		const { text, status } = this.#run(command, null);
		this.print(text);
		return status > 128 && status <= 160 ? 256 + status - 128 : status;
	}

	/** Closes a file or command; returns -1 if none with this name is open. */
	close(name: string, how: 'to' | 'from' | null = null): number {
		const sourceKey = this.#sources.has(`<${name}`) ? `<${name}` : `|${name}`;
		const source = this.#sources.get(sourceKey);
		const sink = this.#sinks.get(name);
		if (how === 'from' && (sink?.kind === '|&' || this.#sources.has(`|${name}`))) {
			this.#closedFrom.add(name);
			this.#sources.delete(`|${name}`);
			return 0;
		}
		if (sink && how === 'to' && sink.kind === '|&') {
			this.#closedTo.add(name);
			this.#sources.set(`|${name}`, this.#source('coprocess', name));
			this.#sinks.delete(name);
			return 0;
		}
		this.#sources.delete(sourceKey);
		this.#closedTo.delete(name);
		this.#closedFrom.delete(name);
		if (!sink) return source ? source.status : -1;
		this.#sinks.delete(name);
		if (sink.descriptor !== null) return 0;
		if (sink.kind === '>' || sink.kind === '>>') {
			this.#put(name, sink);
			return 0;
		}
		if (sink.kind === '|&' && source && sink.text === '') return source.status;
		const { text, status } = this.#run(name, sink.text);
		this.print(text);
		return status;
	}

	/** Returns whether the input of a two-way pipe is closed. */
	isClosedTo(name: string): boolean {
		return this.#closedTo.has(name);
	}

	isOpen(name: string): boolean {
		return this.#sinks.has(name);
	}

	flushFiles(): void {
		for (const [name, sink] of this.#sinks)
			if ((sink.kind === '>' || sink.kind === '>>') && sink.text) this.#put(name, sink);
	}

	closeAll(): void {
		for (const name of [...this.#sinks.keys()]) this.close(name);
	}
}

function filled(text: string): RecordReader {
	const reader = new RecordReader();
	reader.feed(text);
	reader.feed(null);
	return reader;
}
