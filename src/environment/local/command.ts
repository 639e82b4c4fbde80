import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { constants } from 'node:os';
import type { ExecOptions, ExecResult, OutputChunk, Process, Signal } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { OutputBuffer } from '../output-buffer.ts';
import { endGroup, signalGroup } from './process-group.ts';
import { endInput, writeInput } from './process-input.ts';

/** How long output of children that outlive the command is still waited for. */
const LATE_OUTPUT_MS = 250;

export interface CommandPlace {
	shell: string;
	cwd: string;
	variables: Record<string, string>;
}

/** A shell command in a process group of its own. */
export class Command implements Process {
	readonly pid: number;
	readonly exited: Promise<ExecResult>;
	readonly #child: ChildProcessWithoutNullStreams;
	readonly #started = performance.now();
	readonly #output: Record<'stdout' | 'stderr', OutputBuffer>;
	#ending: Promise<void> | undefined;
	#reason: 'timeout' | 'abort' | undefined;
	#ended = false;

	private constructor(child: ChildProcessWithoutNullStreams, options: ExecOptions) {
		this.#child = child;
		this.pid = child.pid ?? 0;
		const { keptCharacters } = options;
		this.#output = { stdout: new OutputBuffer(keptCharacters), stderr: new OutputBuffer(keptCharacters) };
		child.stdin.on('error', () => {
			// The command closed its input; `write` reports it, a write on the way has nobody to tell.
		});
		this.exited = this.#run(options);
	}

	/**
	 * Starts it.
	 *
	 * @throws EnvironmentError `ENOENT` when the shell or the directory is not there
	 */
	static async start(command: string, place: CommandPlace, options: ExecOptions): Promise<Command> {
		const child = spawn(place.shell, ['-c', command], {
			cwd: place.cwd,
			env: { ...place.variables, ...options.env },
			detached: true,
			stdio: 'pipe'
		});
		await new Promise<void>((resolve, reject) => {
			child.once('spawn', resolve);
			child.once('error', (error: NodeJS.ErrnoException) =>
				reject(
					error.code === 'ENOENT'
						? new EnvironmentError('ENOENT', `The shell ${place.shell} could not be started: ENOENT`, place.shell)
						: new EnvironmentError('EIO', `The command could not be started: ${error.message}`)
				)
			);
		});
		return new Command(child, options);
	}

	async write(data: string | Uint8Array): Promise<void> {
		await writeInput(this.#child.stdin, data);
	}

	closeInput(): Promise<void> {
		return endInput(this.#child.stdin);
	}

	async kill(signal: Signal = 'SIGTERM'): Promise<void> {
		if (this.#ended) {
			// The command is done; a child it left behind may not be.
			await endGroup(this.pid, signal);
			return;
		}
		this.#ending ??= endGroup(this.pid, signal);
		await this.#ending;
		await this.exited;
	}

	/** True while a child it left behind still runs. */
	hasLeftovers(): boolean {
		return signalGroup(this.pid, 0);
	}

	async #run({ timeoutMs, signal, onOutput }: ExecOptions): Promise<ExecResult> {
		const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
		const left = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
			this.#child.once('exit', (code, by) => resolve({ code, signal: by }))
		);
		const streams = (['stdout', 'stderr'] as const).map((stream) => this.#listen(stream, onOutput));
		const end = (reason: 'timeout' | 'abort'): void => {
			this.#reason ??= reason;
			this.#ending ??= endGroup(this.pid);
		};
		const timer = timeoutMs === undefined ? undefined : setTimeout(() => end('timeout'), timeoutMs);
		const aborted = (): void => end('abort');
		signal?.addEventListener('abort', aborted, { once: true });
		const exit = await left;
		clearTimeout(timer);
		signal?.removeEventListener('abort', aborted);
		await this.#ending;
		await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, LATE_OUTPUT_MS))]);
		this.#ended = true;
		for (const finish of streams) finish();
		this.#child.stdout.destroy();
		this.#child.stderr.destroy();
		this.#child.stdin.destroy();
		return {
			stdout: this.#output.stdout.text(),
			stderr: this.#output.stderr.text(),
			exitCode: this.#exitCode(exit),
			timedOut: this.#reason === 'timeout',
			durationMs: performance.now() - this.#started
		};
	}

	/** Returns what flushes the decoder at the end. */
	#listen(stream: 'stdout' | 'stderr', onOutput: ((chunk: OutputChunk) => void) | undefined): () => void {
		const decoder = new TextDecoder();
		const take = (data: string): void => {
			if (!data || this.#ended) return;
			this.#output[stream].add(data);
			onOutput?.({ stream, data });
		};
		this.#child[stream].on('data', (bytes: Buffer) => take(decoder.decode(bytes, { stream: true })));
		return () => {
			const rest = decoder.decode();
			if (rest) this.#output[stream].add(rest);
		};
	}

	#exitCode({ code, signal }: { code: number | null; signal: NodeJS.Signals | null }): number {
		if (this.#reason === 'timeout') return 124;
		if (this.#reason === 'abort') return 130;
		return code ?? 128 + (signal ? constants.signals[signal] : 0);
	}
}
