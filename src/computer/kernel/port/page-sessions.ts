import type { OutputChunk, Signal, TerminalSize } from '#environment/contract.ts';
import { SyscallError } from '#computer/abi/client.ts';
import { HOME, SEARCH_PATH } from '#computer/abi/paths.ts';
import type { StartOptions, ToPage } from '#computer/abi/protocol.ts';
import { errno } from '#computer/abi/errno.ts';
import type { KernelComputer } from '../kernel-computer.ts';
import type { Process } from '../processes/process.ts';
import { type Description, NullDescription } from '../streams/description.ts';
import { OutputDescription } from '../streams/output-description.ts';
import { Output } from '../streams/output.ts';
import { Pipe } from '../streams/pipe.ts';
import { TerminalDescription } from '../streams/terminal-description.ts';
import { Terminal } from '../streams/terminal.ts';

interface Session {
	process: Process;
	outputs: Partial<Record<OutputChunk['stream'], Output>>;
	input: Pipe | null;
	terminal: Terminal | null;
}

const CTRL_C = 0x03;
const encoder = new TextEncoder();

const ENVIRONMENT = {
	PATH: SEARCH_PATH,
	HOME,
	USER: 'user',
	LOGNAME: 'user',
	SHELL: '/bin/bash',
	LANG: 'C.UTF-8'
};

/** Commands and terminals the page has started: each a session, killed as a whole. */
export class PageSessions {
	#sessions = new Map<number, Session>();

	constructor(
		private readonly computer: KernelComputer,
		private readonly post: (message: ToPage) => void
	) {}

	/** @returns the pid, under which its output and its end are reported */
	start(options: StartOptions): number {
		return options.terminal ? this.#startTerminal(options, options.terminal) : this.#startCommand(options);
	}

	/** @throws EPIPE if it has ended or accepts no input */
	async write(pid: number, bytes: Uint8Array): Promise<void> {
		const session = this.#sessions.get(pid);
		if (!session || (!session.input && !session.terminal)) throw errno('EPIPE');
		if (!session.terminal) return void (await session.input?.write(bytes, null));
		session.terminal.type(bytes);
		// A fork bomb runs in the background, out of reach of the signal, and leaves no free process to run `kill` in.
		if (bytes.includes(CTRL_C) && this.computer.table.crowded) this.computer.table.clearSession(pid);
	}

	closeInput(pid: number): void {
		const session = this.#sessions.get(pid);
		session?.input?.writer.release();
		if (session) session.input = null;
	}

	kill(pid: number, signal: Signal): void {
		this.computer.table.killSession(pid, signal);
	}

	resize(pid: number, size: TerminalSize): void {
		const session = this.#sessions.get(pid);
		if (!session?.terminal) return;
		session.terminal.size = size;
		this.computer.table.killSession(pid, 'SIGWINCH');
	}

	taken(pid: number, stream: OutputChunk['stream'], bytes: number): void {
		this.#sessions.get(pid)?.outputs[stream]?.taken(bytes);
	}

	#startCommand(options: StartOptions): number {
		const { argv = ['bash'], cwd, stdin } = options;
		const stdout = this.#output('stdout');
		const stderr = this.#output('stderr');
		const input = stdin === undefined ? null : new Pipe();
		input?.writer.retain();
		// No TERM: a program without a terminal finds none on a real machine either.
		const process = this.#spawn(argv, options, { PWD: cwd }, [
			input?.reader ?? new NullDescription(),
			new OutputDescription(stdout.output),
			new OutputDescription(stderr.output)
		]);
		stdout.pid = stderr.pid = process.pid;
		const outputs = { stdout: stdout.output, stderr: stderr.output };
		this.#sessions.set(process.pid, { process, outputs, input, terminal: null });
		if (stdin instanceof Uint8Array) {
			// A command that does not read all of its input breaks the pipe, which is not an error.
			void Promise.resolve(input?.write(stdin, null))
				.catch(() => {})
				.finally(() => this.closeInput(process.pid));
		}
		return process.pid;
	}

	#startTerminal(options: StartOptions, size: TerminalSize): number {
		const shown = this.#output('stdout');
		const terminal = new Terminal(size, shown.output, () => {
			if (terminal.foreground > 0) this.#interrupt(terminal.foreground);
		});
		const stream = new TerminalDescription(terminal);
		const { argv = ['bash'] } = options;
		const environment = { TERM: 'xterm-256color', COLORTERM: 'truecolor', PWD: options.cwd };
		const process = this.#spawn(argv, options, environment, [stream, stream, stream]);
		shown.pid = process.pid;
		terminal.foreground = process.group;
		this.#sessions.set(process.pid, { process, outputs: { stdout: shown.output }, input: null, terminal });
		return process.pid;
	}

	#interrupt(group: number): void {
		const { table } = this.computer;
		if (table.list().some((process) => process.group === group)) table.kill(-group, 'SIGINT');
	}

	#spawn(
		argv: string[],
		options: StartOptions,
		environment: Record<string, string>,
		streams: [Description, Description, Description]
	): Process {
		let pid = 0;
		let notice = '';
		const spawn = () =>
			this.computer.spawn({
				argv,
				cwd: options.cwd,
				env: { ...ENVIRONMENT, ...environment, ...options.env },
				rights: options.rights,
				streams,
				onStart: () => {
					this.post({ type: 'started', pid });
					if (notice !== '') tell(process, notice);
				},
				onEnd: ({ code }) => this.#ended(pid, code)
			});
		let process: Process;
		try {
			process = spawn();
		} catch (error) {
			// A fork bomb left behind by an earlier command must not block the page permanently.
			const isFull = error instanceof SyscallError && error.code === 'EAGAIN';
			const ended = isFull ? this.computer.table.endLeftBehind() : 0;
			if (ended === 0) throw error;
			notice = `sandbox: there was no process left, so ${ended} were ended that an earlier command had left behind\n`;
			process = spawn();
		}
		pid = process.pid;
		return process;
	}

	#ended(pid: number, code: number): void {
		const session = this.#sessions.get(pid);
		this.#sessions.delete(pid);
		session?.input?.writer.release();
		// Output of remaining processes has no reader: let their writers continue.
		for (const output of Object.values(session?.outputs ?? {})) output.abandon();
		// A terminal that closes ends the processes running on it.
		if (session?.terminal) this.computer.table.killSession(pid, 'SIGKILL');
		this.post({ type: 'ended', pid, code });
	}

	#output(stream: OutputChunk['stream']): { output: Output; pid: number } {
		const made = {
			pid: 0,
			output: new Output((bytes) => this.post({ type: 'output', pid: made.pid, stream, bytes: bytes.slice() }))
		};
		return made;
	}
}

/** Writes to the stderr of a process. Not before its start: until then the page does not know it. */
function tell(process: Process, text: string): void {
	void Promise.resolve(process.descriptor(2).write(encoder.encode(text), process)).catch(() => {
		// Without a reader the command still runs.
	});
}
