import type { RunResult, SpawnOptions } from '#computer/abi/syscalls.ts';
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
}

/**
 * Runs a command to its end and collects its output. It is ended if it prints more than `maxBytes` or exceeds
 * `timeoutMs`.
 */
export async function runToEnd(
	computer: Computer,
	parent: Process,
	options: SpawnOptions & { input?: Uint8Array; timeoutMs?: number; maxBytes?: number },
	named: NamedStreams
): Promise<RunResult> {
	const { argv, cwd, env, group, umask, input, timeoutMs, maxBytes = DEFAULT_MAX_BYTES } = options;
	const stdin = named.stdin || input === undefined ? null : new Pipe();
	const stdout = named.stdout ? null : new Pipe();
	const stderr = named.stderr ? null : new Pipe();
	const streams: [Description, Description, Description] = [
		named.stdin ?? stdin?.reader ?? new NullDescription(),
		named.stdout ?? stdout!.writer,
		named.stderr ?? stderr!.writer
	];
	// The kernel's own ends; released when the child has ended, so that processes it left running are not waited for.
	const own = [stdin?.writer, stdout?.reader, stderr?.reader].map((end) => end?.retain());
	const child = computer.spawn({ argv, cwd, env, group, umask, streams, parent });
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
			.finally(() => own[0]?.release());
	}
	const out = stdout ? new Collector(stdout, maxBytes, stop) : null;
	const err = stderr ? new Collector(stderr, maxBytes, stop) : null;
	const { code, signal } = await computer.table.wait(parent, child.pid);
	clearTimeout(timer);
	const result: RunResult = {
		code,
		signal,
		timedOut,
		stdout: out?.finish() ?? new Uint8Array(0),
		stderr: err?.finish() ?? new Uint8Array(0)
	};
	own[1]?.release();
	own[2]?.release();
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
