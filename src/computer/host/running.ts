import type { ExecResult, OutputChunk } from '#environment/contract.ts';
import { KEPT_OUTPUT } from '#computer/abi/limits.ts';
import { BoundedText } from './bounded-text.ts';

type Stream = OutputChunk['stream'];

/** One running command or terminal of the page: decodes and collects its output, and reports its end. */
export class Running {
	readonly exited: Promise<ExecResult>;
	/** Called when its program has loaded and starts. */
	onBegun: () => void = () => {};
	#decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
	#text: Record<Stream, BoundedText>;
	#startedMs = performance.now();
	#resolve: (result: ExecResult) => void = () => {};
	#reason: 'timeout' | 'abort' | null = null;

	/**
	 * @param onOutput called for each chunk, in order, never with an incomplete character
	 * @param kept maximum number of characters per stream in the result; the middle of longer output is dropped
	 */
	constructor(
		private readonly onOutput: (chunk: OutputChunk) => void,
		kept = KEPT_OUTPUT
	) {
		this.#text = { stdout: new BoundedText(kept), stderr: new BoundedText(kept) };
		this.exited = new Promise((resolve) => (this.#resolve = resolve));
	}

	output(stream: Stream, bytes: Uint8Array): void {
		this.#add(stream, this.#decoders[stream].decode(bytes, { stream: true }));
	}

	/** Marks it as ended by us: the result has exit code 124 after a timeout, 130 after an abort. */
	stoppedBy(reason: 'timeout' | 'abort'): void {
		this.#reason ??= reason;
	}

	ended(code: number): void {
		for (const stream of ['stdout', 'stderr'] as const) this.#add(stream, this.#decoders[stream].decode());
		this.#resolve({
			stdout: this.#text.stdout.toString(),
			stderr: this.#text.stderr.toString(),
			exitCode: this.#reason === 'timeout' ? 124 : this.#reason === 'abort' ? 130 : code,
			timedOut: this.#reason === 'timeout',
			durationMs: performance.now() - this.#startedMs
		});
	}

	#add(stream: Stream, data: string): void {
		if (data === '') return;
		this.#text[stream].add(data);
		this.onOutput({ stream, data });
	}
}
