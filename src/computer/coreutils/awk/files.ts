import type { Call } from '#computer/shell/state/host.ts';
import { decode, encode } from '#computer/process/text.ts';
import { AwkError } from './tokens.ts';

const LIMIT = 64 * 1_048_576;

interface Source {
	text: string;
	at: number;
	status: number;
}

/** Output, files and commands of a program, besides its records. All synchronous. */
export class AwkFiles {
	/** Buffered output of `print`. */
	output = '';
	#sinks = new Map<string, { kind: '>' | '>>' | '|'; text: string }>();
	#sources = new Map<string, Source>();

	constructor(private readonly call: Call) {}

	print(text: string): void {
		this.output += text;
		if (this.output.length > LIMIT) throw new AwkError('more than 64 MB of output before the next record');
	}

	write(kind: '>' | '>>' | '|', name: string, text: string): void {
		if (kind !== '|' && (name === '/dev/stdout' || name === '-')) return this.print(text);
		if (kind !== '|' && name === '/dev/stderr') return void this.call.shell.descriptors.get(2)?.write(encode(text));
		let sink = this.#sinks.get(name);
		if (!sink) {
			sink = { kind, text: '' };
			this.#sinks.set(name, sink);
			if (kind === '>') this.#files.writeFile(this.call.shell.path(name), new Uint8Array());
		}
		sink.text += text;
		if (sink.kind !== '|' && sink.text.length > 65536) this.#put(name, sink);
	}

	get #files() {
		return this.call.shell.host.context.sync;
	}

	#put(name: string, sink: { text: string }): void {
		if (name !== '/dev/null') this.#files.appendFile(this.call.shell.path(name), encode(sink.text));
		sink.text = '';
	}

	/** The next piece of a file or of a command's output up to `end`; null at its end, false when it cannot be read. */
	read(kind: 'file' | 'command', name: string, end: string): string | null | false {
		let source = this.#sources.get(name);
		if (!source) {
			const opened = kind === 'file' ? this.#open(name) : this.#run(name, null);
			if (!opened) return false;
			source = { text: opened.text, at: 0, status: opened.status };
			this.#sources.set(name, source);
		}
		if (source.at >= source.text.length) return null;
		const stop = source.text.indexOf(end || '\n', source.at);
		const piece = source.text.slice(source.at, stop < 0 ? undefined : stop);
		source.at = stop < 0 ? source.text.length : stop + (end.length || 1);
		return piece;
	}

	#open(name: string): { text: string; status: number } | null {
		const path = this.call.shell.path(name);
		if (this.#files.statOrNull(path)?.kind !== 'file') return null;
		this.flushFiles();
		return { text: decode(this.#files.readFile(path)), status: 0 };
	}

	/** Runs a command in a shell of its own; what it says on stderr is passed on. */
	#run(command: string, input: string | null): { text: string; status: number } {
		this.flushFiles();
		const { shell } = this.call;
		const result = this.#files.run({
			argv: ['bash', '-c', command],
			cwd: shell.cwd,
			env: shell.environment(),
			...(input === null ? { stdin: 'null' as const } : { input: encode(input) })
		});
		if (result.stderr.length) void shell.descriptors.get(2)?.write(result.stderr);
		return { text: decode(result.stdout), status: result.code };
	}

	system(command: string): number {
		const { text, status } = this.#run(command, null);
		this.print(text);
		return status;
	}

	/** -1 when nothing of this name is open. */
	close(name: string): number {
		const source = this.#sources.get(name);
		this.#sources.delete(name);
		const sink = this.#sinks.get(name);
		if (!sink) return source ? source.status : -1;
		this.#sinks.delete(name);
		if (sink.kind !== '|') {
			this.#put(name, sink);
			return 0;
		}
		const { text, status } = this.#run(name, sink.text);
		this.print(text);
		return status;
	}

	flushFiles(): void {
		for (const [name, sink] of this.#sinks) if (sink.kind !== '|' && sink.text) this.#put(name, sink);
	}

	closeAll(): void {
		for (const name of [...this.#sinks.keys()]) this.close(name);
	}
}
