import type { ExecOptions, ExecResult, Process, Signal } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { OutputBuffer } from '../output-buffer.ts';
import type { CallEvent, RemoteCaller } from './connection.ts';

/** A background process on the machine. */
export class RemoteProcess implements Process {
	pid = 0;
	readonly exited: Promise<ExecResult>;
	readonly #output: Record<'stdout' | 'stderr', OutputBuffer>;
	readonly #started = performance.now();
	#of = 0;
	#hasEnded = false;
	#end: (result: ExecResult) => void = () => {};

	constructor(
		private readonly call: RemoteCaller,
		private readonly options: ExecOptions
	) {
		const { maxOutputCharacters } = options;
		this.#output = { stdout: new OutputBuffer(maxOutputCharacters), stderr: new OutputBuffer(maxOutputCharacters) };
		this.exited = new Promise((resolve) => (this.#end = resolve));
	}

	/** @param of id of the call that started it */
	begin(of: number, pid: number): void {
		this.#of = of;
		this.pid = pid;
	}

	hear(event: CallEvent): void {
		if (event.type === 'output') {
			this.#output[event.stream].add(event.data);
			this.options.onOutput?.({ stream: event.stream, data: event.data });
		} else if (event.type === 'processExit') this.#finish(event.result);
	}

	/** Ends this process because the machine is gone. */
	lose(): void {
		this.#finish({ exitCode: 137, timedOut: false, durationMs: performance.now() - this.#started });
	}

	async write(data: string | Uint8Array): Promise<void> {
		if (this.#hasEnded) throw new EnvironmentError('EPIPE', 'The process has ended.');
		const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
		await this.call('processWrite', { of: this.#of }, { bytes });
	}

	async closeInput(): Promise<void> {
		if (this.#hasEnded) return;
		// Never rejects: if the machine is gone, the input is closed too.
		await this.call('processCloseInput', { of: this.#of }).catch(() => undefined);
	}

	async kill(signal?: Signal): Promise<void> {
		await this.call('processKill', { of: this.#of, signal });
		await this.exited;
	}

	#finish(result: Omit<ExecResult, 'stdout' | 'stderr'>): void {
		this.#hasEnded = true;
		this.#end({ ...result, stdout: this.#output.stdout.text(), stderr: this.#output.stderr.text() });
	}
}
