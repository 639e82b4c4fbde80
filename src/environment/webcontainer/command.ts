import type { WebContainerProcess } from '@webcontainer/api';
import * as z from 'zod/mini';
import type { ExecOptions, ExecResult, Process, Signal } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { OutputBuffer } from '../output-buffer.ts';
import { FrameReader, toLine } from './frames.ts';
import type { BootedContainer } from './booted-container.ts';

/** A command gets the first 2 s of these to end on its own; then its program is killed from outside. */
const KILL_MS = 5_000;
/** Bytes of input per line; a terminal may truncate longer lines. */
const INPUT_BYTES = 2_000;
const KILLED = 137;

const Message = z.union([
	z.object({ pid: z.number() }),
	z.object({ failed: z.string() }),
	z.object({ stream: z.enum(['stdout', 'stderr']), data: z.string() }),
	z.object({ exitCode: z.number() })
]);

export interface CommandPlace {
	cwd: string;
	variables: Record<string, string>;
	/** The whole input; absent if it is written while the command runs. */
	stdin?: string | Uint8Array;
}

/**
 * A shell command in the container. The container's API merges the two output streams, so one of our programs runs the
 * command on pipes and separates them.
 */
export class ContainerCommand implements Process {
	pid = 0;
	readonly exited: Promise<ExecResult>;
	readonly #writer: WritableStreamDefaultWriter<string>;
	readonly #started = performance.now();
	readonly #output: Record<'stdout' | 'stderr', OutputBuffer>;
	readonly #running: Promise<void>;
	#reason: 'timeout' | 'abort' | undefined;
	#exitCode: number | undefined;
	#failure: string | undefined;
	#ended = false;
	#inputClosed: boolean;
	#tellRunning: () => void = () => {};

	private constructor(
		private readonly process: WebContainerProcess,
		place: CommandPlace,
		options: ExecOptions
	) {
		const { maxOutputCharacters } = options;
		this.#output = { stdout: new OutputBuffer(maxOutputCharacters), stderr: new OutputBuffer(maxOutputCharacters) };
		this.#writer = process.input.getWriter();
		this.#inputClosed = place.stdin !== undefined;
		this.#running = new Promise((resolve) => (this.#tellRunning = resolve));
		this.exited = this.#run(options);
	}

	/** @throws EnvironmentError if the shell cannot be started */
	static async start(
		booted: BootedContainer,
		command: string,
		place: CommandPlace,
		options: ExecOptions
	): Promise<ContainerCommand> {
		const { cwd, stdin, variables } = place;
		const input = stdin === undefined || stdin.length === 0 ? null : await booted.keepAside(stdin);
		const request = { command, cwd, ...(stdin === undefined ? {} : { stdin: input }) };
		const file = await booted.keepAside(JSON.stringify(request));
		const env = { ...variables, ...options.env };
		const process = await booted.spawnProgram('command-process.mjs', [file], { env });
		const running = new ContainerCommand(process, place, options);
		await running.#running;
		if (running.#failure !== undefined)
			throw new EnvironmentError('EIO', `The command could not be started: ${running.#failure}`);
		return running;
	}

	async write(data: string | Uint8Array): Promise<void> {
		if (this.#ended || this.#inputClosed) throw new EnvironmentError('EPIPE', 'The process has ended.');
		const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
		for (let start = 0; start < bytes.length; start += INPUT_BYTES) {
			const part = String.fromCharCode(...bytes.subarray(start, start + INPUT_BYTES));
			await this.#send({ data: btoa(part) });
		}
	}

	async closeInput(): Promise<void> {
		if (this.#inputClosed) return;
		this.#inputClosed = true;
		if (!this.#ended) await this.#send({ end: true });
	}

	async kill(signal: Signal = 'SIGTERM'): Promise<void> {
		await this.#end(signal);
		await this.exited;
	}

	async #send(message: unknown): Promise<void> {
		await this.#writer.write(toLine(JSON.stringify(message)));
	}

	async #end(signal: Signal): Promise<void> {
		if (this.#ended) return;
		const backstop = setTimeout(() => this.process.kill(), KILL_MS);
		void this.exited.then(() => clearTimeout(backstop));
		await this.#send({ signal });
	}

	async #run({ timeoutMs, signal, onOutput }: ExecOptions): Promise<ExecResult> {
		const end = (reason: 'timeout' | 'abort'): void => {
			this.#reason ??= reason;
			void this.#running.then(() => this.#end('SIGTERM'));
		};
		const timer = timeoutMs === undefined ? undefined : setTimeout(() => end('timeout'), timeoutMs);
		const aborted = (): void => end('abort');
		signal?.addEventListener('abort', aborted, { once: true });
		let processCode = KILLED;
		try {
			await this.#listen(onOutput);
			processCode = await this.process.exit;
		} catch {
			// The container is gone, and the command with it.
		}
		clearTimeout(timer);
		signal?.removeEventListener('abort', aborted);
		this.#ended = true;
		this.#tellRunning();
		return {
			stdout: this.#output.stdout.text(),
			stderr: this.#output.stderr.text(),
			exitCode: this.#resultCode(processCode),
			timedOut: this.#reason === 'timeout',
			durationMs: performance.now() - this.#started
		};
	}

	async #listen(onOutput: ExecOptions['onOutput']): Promise<void> {
		const reader = new FrameReader();
		for await (const chunk of this.process.output)
			for (const message of reader.read(chunk)) {
				const parsed = z.safeParse(Message, message);
				if (!parsed.success) continue;
				const { data: event } = parsed;
				if ('stream' in event) {
					this.#output[event.stream].add(event.data);
					onOutput?.(event);
				} else if ('exitCode' in event) this.#exitCode = event.exitCode;
				else {
					if ('pid' in event) this.pid = event.pid;
					else this.#failure = event.failed;
					this.#tellRunning();
				}
			}
	}

	#resultCode(processCode: number): number {
		if (this.#reason === 'timeout') return 124;
		if (this.#reason === 'abort') return 130;
		// Without a report from its own program, it was killed from outside.
		return this.#exitCode ?? (processCode === 0 ? KILLED : processCode);
	}
}
