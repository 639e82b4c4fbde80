import { READ_ONLY_RIGHTS } from '#environment/contract.ts';
import type { ExecOptions, OutputChunk, Process, Signal, Terminal, TerminalSize } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import type { StartOptions } from '#computer/abi/protocol.ts';
import { CommandClock, type Pauses } from './command-clock.ts';
import type { KernelPort } from './kernel-port.ts';
import { Running } from './running.ts';
import { createTerminal } from './terminal.ts';

const encoder = new TextEncoder();
/** Extra time for loading a program, in addition to a command's time limit. */
const LOADING_MS = 20_000;

/** Running commands and terminals of the page in one computer, by pid. */
export class RunningProcesses {
	#running = new Map<number, Running>();

	/** @param pauses times that do not count towards time limits of commands */
	constructor(
		private readonly kernel: KernelPort,
		private readonly pauses?: Pauses
	) {}

	/**
	 * Starts a command. Rejects if it cannot be started at all (EAGAIN, a missing `cwd`).
	 *
	 * @param onTrial on a throwaway copy of the computer, which exists until the kernel is asked to end it
	 */
	async start(
		argv: string[],
		cwd: string,
		options: ExecOptions,
		stdin: StartOptions['stdin'],
		onTrial = false
	): Promise<Process> {
		const { timeoutMs, env = {}, signal, onOutput, maxOutputCharacters, rights, takesTemporaryFiles } = options;
		const running = new Running((chunk) => onOutput?.(chunk), maxOutputCharacters);
		const pid = onTrial
			? await this.kernel.request('startTrial', { argv, cwd, env, stdin }, rights ?? READ_ONLY_RIGHTS)
			: await this.kernel.request('start', { argv, cwd, env, stdin, rights, takesTemporaryFiles });
		this.#running.set(pid, running);
		const stop = (reason: 'timeout' | 'abort'): void => {
			running.stoppedBy(reason);
			void this.#kill(pid, 'SIGKILL');
		};
		const abort = (): void => stop('abort');
		const clock = timeoutMs === undefined ? null : new CommandClock(() => stop('timeout'), this.pauses);
		if (clock && timeoutMs !== undefined) {
			// Loading a program does not count towards the time limit, unless it never ends.
			clock.set(timeoutMs + LOADING_MS);
			running.onBegun = () => clock.set(timeoutMs);
		}
		if (signal?.aborted) abort();
		else signal?.addEventListener('abort', abort, { once: true });
		void running.exited.then(() => {
			clock?.stop();
			signal?.removeEventListener('abort', abort);
		});
		return {
			pid,
			exited: running.exited,
			write: async (data) => {
				if (!this.#running.has(pid)) throw new EnvironmentError('EPIPE', 'The command has ended; it reads no more.');
				await this.kernel.request('write', pid, bytesOf(data));
			},
			closeInput: async () => void (await this.kernel.request('closeInput', pid)),
			kill: async (name: Signal = 'SIGTERM') => {
				await this.#kill(pid, name);
				await running.exited;
			}
		};
	}

	async openTerminal(cwd: string, size: TerminalSize): Promise<Terminal> {
		let print: (data: string) => void = () => {};
		const running = new Running(({ data }) => print(data), 0);
		const pid = await this.kernel.request('start', { cwd, env: {}, terminal: size });
		this.#running.set(pid, running);
		const { terminal, shown } = createTerminal(this.kernel, pid, running.exited, () => this.#kill(pid, 'SIGKILL'));
		print = shown;
		return terminal;
	}

	output(pid: number, stream: OutputChunk['stream'], bytes: Uint8Array): void {
		this.#running.get(pid)?.output(stream, bytes);
		this.kernel.taken(pid, stream, bytes.length);
	}

	started(pid: number): void {
		this.#running.get(pid)?.onBegun();
	}

	ended(pid: number, code: number): void {
		this.#running.get(pid)?.ended(code);
		this.#running.delete(pid);
	}

	/** The computer is gone: ends everything that ran, with the reason. */
	abandon(reason: string): void {
		for (const running of this.#running.values()) {
			running.output('stderr', encoder.encode(`\n${reason}\n`));
			running.ended(137);
		}
		this.#running.clear();
	}

	async #kill(pid: number, signal: Signal): Promise<void> {
		if (!this.#running.has(pid)) return;
		await this.kernel.request('kill', pid, signal).catch(() => {
			// The kernel is gone, and `abandon` has ended the command.
		});
	}
}

export function bytesOf(data: string | Uint8Array): Uint8Array {
	return typeof data === 'string' ? encoder.encode(data) : data;
}
