import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { Duplex, Writable, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ExecOptions, ExecResult, Process, Signal } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { OutputBuffer } from '../output-buffer.ts';
import type { Launch } from './launch.ts';
import { pauseUntil } from './pause-until.ts';
import { endGroup, signalGroup } from './process-group.ts';
import { endInput, writeInput } from './process-input.ts';

/** Time to wait for output of children that outlive the command. */
const LATE_OUTPUT_MS = 250;

export interface CommandOptions extends ExecOptions {
	/** `none`: no input; reads find its end at once. Default `open`. */
	input?: 'open' | 'none';
	/** Called and awaited before a timeout or an abort ends the command. */
	beforeEnd?: () => Promise<void>;
}

interface Streams {
	/** Absent for a command without input. */
	stdin: Writable | undefined;
	stdout: Readable;
	stderr: Readable;
}

/** A command in its own process group. */
export class Command implements Process {
	readonly pid: number;
	readonly exited: Promise<ExecResult>;
	/** File descriptor 4 of a supervised command. */
	readonly supervisor: Duplex | undefined;
	readonly #child: ChildProcess;
	readonly #streams: Streams;
	readonly #started = performance.now();
	readonly #output: Record<'stdout' | 'stderr', OutputBuffer>;
	#ending: Promise<void> | undefined;
	#reason: 'timeout' | 'abort' | undefined;
	#ended = false;

	private constructor(child: ChildProcess, options: CommandOptions) {
		this.#child = child;
		this.pid = child.pid ?? 0;
		this.#streams = streamsOf(child);
		const supervisor = child.stdio[4];
		if (supervisor instanceof Duplex) this.supervisor = supervisor;
		const { maxOutputCharacters } = options;
		this.#output = { stdout: new OutputBuffer(maxOutputCharacters), stderr: new OutputBuffer(maxOutputCharacters) };
		this.#streams.stdin?.on('error', () => {
			// The command closed its input; `write` reports it, and no caller waits for a pending write.
		});
		this.exited = this.#run(options);
	}

	/**
	 * Starts it.
	 *
	 * @throws EnvironmentError `ENOENT` if the shell or the directory does not exist
	 */
	static async start(launch: Launch, options: CommandOptions): Promise<Command> {
		const child = spawn(launch.program, launch.args, {
			cwd: launch.cwd,
			env: launch.env,
			detached: true,
			stdio: [
				options.input === 'none' ? 'ignore' : 'pipe',
				'pipe',
				'pipe',
				...(launch.filter ? (['pipe'] as const) : []),
				...(launch.isSupervised ? (['pipe'] as const) : [])
			]
		});
		await new Promise<void>((resolve, reject) => {
			child.once('spawn', resolve);
			child.once('error', (error: NodeJS.ErrnoException) =>
				reject(
					error.code === 'ENOENT'
						? new EnvironmentError('ENOENT', `The shell ${launch.program} could not be started: ENOENT`, launch.program)
						: new EnvironmentError('EIO', `The command could not be started: ${error.message}`)
				)
			);
		});
		const filter = child.stdio[3];
		if (launch.filter && filter instanceof Writable) {
			// If a program ends before it has read the filter, its exit code reports that.
			filter.on('error', () => undefined);
			filter.end(launch.filter);
		}
		return new Command(child, options);
	}

	async write(data: string | Uint8Array): Promise<void> {
		if (this.#streams.stdin) await writeInput(this.#streams.stdin, data);
	}

	async closeInput(): Promise<void> {
		if (this.#streams.stdin) await endInput(this.#streams.stdin);
	}

	async kill(signal: Signal = 'SIGTERM'): Promise<void> {
		if (this.#ended) {
			// The command has ended, but a child it left behind may still run.
			await endGroup(this.pid, signal);
			return;
		}
		this.#ending ??= endGroup(this.pid, signal);
		await this.#ending;
		await this.exited;
	}

	/** True once it has ended and none of its children still run. */
	get isOver(): boolean {
		return this.#ended && !signalGroup(this.pid, 0);
	}

	async #run({ timeoutMs, signal, onOutput, beforeEnd }: CommandOptions): Promise<ExecResult> {
		const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
		const left = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
			this.#child.once('exit', (code, by) => resolve({ code, signal: by }))
		);
		const streams = (['stdout', 'stderr'] as const).map((stream) => this.#listen(stream, onOutput));
		const end = (reason: 'timeout' | 'abort'): void => {
			this.#reason ??= reason;
			this.#ending ??= (beforeEnd?.() ?? Promise.resolve()).then(() => endGroup(this.pid));
		};
		const timer = timeoutMs === undefined ? undefined : setTimeout(() => end('timeout'), timeoutMs);
		const aborted = (): void => end('abort');
		signal?.addEventListener('abort', aborted, { once: true });
		const exit = await left;
		clearTimeout(timer);
		signal?.removeEventListener('abort', aborted);
		await this.#ending;
		await Promise.race([closed, this.#lateOutput()]);
		this.#ended = true;
		for (const finish of streams) finish();
		for (const stream of this.#child.stdio) stream?.destroy();
		return {
			stdout: this.#output.stdout.text(),
			stderr: this.#output.stderr.text(),
			exitCode: this.#exitCode(exit),
			timedOut: this.#reason === 'timeout',
			durationMs: performance.now() - this.#started
		};
	}

	/** Resolves when to stop waiting for output of children that outlive the command. */
	async #lateOutput(): Promise<void> {
		const { stdout, stderr } = this.#streams;
		do await new Promise((resolve) => setTimeout(resolve, LATE_OUTPUT_MS));
		while (stdout.isPaused() || stderr.isPaused());
	}

	/** Returns a function that flushes the decoder at the end. */
	#listen(stream: 'stdout' | 'stderr', onOutput: CommandOptions['onOutput']): () => void {
		const decoder = new StringDecoder('utf8');
		const take = (data: string): void => {
			if (!data || this.#ended) return;
			this.#output[stream].add(data);
			pauseUntil(this.#streams[stream], onOutput?.({ stream, data }));
		};
		this.#streams[stream].on('data', (bytes: Buffer) => take(decoder.write(bytes)));
		return () => {
			const rest = decoder.end();
			if (rest) this.#output[stream].add(rest);
		};
	}

	#exitCode({ code, signal }: { code: number | null; signal: NodeJS.Signals | null }): number {
		if (this.#reason === 'timeout') return 124;
		if (this.#reason === 'abort') return 130;
		return code ?? 128 + (signal ? constants.signals[signal] : 0);
	}
}

function streamsOf({ stdin, stdout, stderr }: ChildProcess): Streams {
	if (!stdout || !stderr) throw new EnvironmentError('EIO', 'The command was started without its outputs.');
	return { stdin: stdin ?? undefined, stdout, stderr };
}
