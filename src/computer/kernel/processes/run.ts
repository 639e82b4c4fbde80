import type { RunOptions, RunResult } from '#computer/abi/syscalls.ts';
import type { Computer } from '../computer.ts';
import { type Description, NullDescription } from '../streams/description.ts';
import { Pipe } from '../streams/pipe.ts';
import type { Process } from './process.ts';

const READ_BYTES = 64 * 1024;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/** Streams provided by the caller; the others are collected, or fed from `input`. */
export interface NamedStreams {
	stdin?: Description;
	stdout?: Description;
	stderr?: Description;
	/** Descriptors above 2, by number. */
	descriptors?: [number, Description][];
}

/**
 * Runs a command to its end and collects its output. It is ended if it prints more than `maxBytes` or exceeds
 * `timeoutMs`.
 */
export async function runToEnd(
	computer: Computer,
	parent: Process,
	options: RunOptions,
	named: NamedStreams
): Promise<RunResult> {
	const { argv, cwd, env, group, umask, input, timeoutMs, maxBytes = DEFAULT_MAX_BYTES, collects = [] } = options;
	const stdin = named.stdin || input === undefined ? null : new Pipe();
	const stdout = named.stdout ? null : new Pipe();
	const stderr = named.stderr ? null : new Pipe();
	const streams: [Description, Description, Description] = [
		named.stdin ?? stdin?.reader ?? new NullDescription(),
		named.stdout ?? stdout!.writer,
		named.stderr ?? stderr!.writer
	];
	const more = collects.map((number): [number, Pipe] => [number, new Pipe()]);
	// The kernel's own ends; released when the child has ended, so that processes it left running are not waited for.
	const readers = [stdout, stderr, ...more.map(([, pipe]) => pipe)].map((pipe) => pipe?.reader.retain());
	const writer = stdin?.writer.retain();
	const descriptors = [
		...(named.descriptors ?? []),
		...more.map(([number, pipe]): [number, Description] => [number, pipe.writer])
	];
	const child = computer.spawn({ argv, cwd, env, group, umask, streams, descriptors, parent });
	const stop = () => computer.table.killTree(child, 'SIGKILL');
	let timedOut = false;
	const timer =
		timeoutMs !== undefined && timeoutMs > 0
			? setTimeout(() => {
					timedOut = true;
					stop();
				}, timeoutMs)
			: undefined;
	if (stdin && input) {
		// The child may not read all of it, which is not an error.
		void Promise.resolve(stdin.write(input, null))
			.catch(() => {})
			.finally(() => writer?.release());
	}
	const out = stdout ? new Collector(stdout, maxBytes, stop) : null;
	const err = stderr ? new Collector(stderr, maxBytes, stop) : null;
	const others = more.map(([number, pipe]) => ({ number, output: new Collector(pipe, maxBytes, stop) }));
	const { code, signal } = await computer.table.wait(parent, child.pid);
	clearTimeout(timer);
	const result: RunResult = {
		code,
		signal,
		timedOut,
		stdout: out?.finish() ?? new Uint8Array(0),
		stderr: err?.finish() ?? new Uint8Array(0)
	};
	for (const { number, output } of others) result[`output${number}`] = output.finish();
	for (const reader of readers) reader?.release();
	return result;
}

/** Reads a pipe as it fills, so that the writer does not wait. */
class Collector {
	#chunks: Uint8Array[] = [];
	#size = 0;

	constructor(
		private readonly pipe: Pipe,
		private readonly maxBytes: number,
		private readonly tooMuch: () => void
	) {
		void this.#read();
	}

	finish(): Uint8Array {
		this.#add(this.pipe.drain());
		const all = new Uint8Array(this.#size);
		let at = 0;
		for (const chunk of this.#chunks) {
			all.set(chunk, at);
			at += chunk.length;
		}
		return all.subarray(0, this.maxBytes).slice();
	}

	async #read(): Promise<void> {
		for (;;) {
			const bytes = await this.pipe.read(READ_BYTES, null);
			if (bytes.length === 0) return;
			this.#add(bytes);
		}
	}

	#add(bytes: Uint8Array): void {
		this.#chunks.push(bytes);
		this.#size += bytes.length;
		if (this.#size > this.maxBytes) this.tooMuch();
	}
}
