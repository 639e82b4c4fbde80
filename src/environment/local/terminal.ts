import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Terminal, TerminalSize } from '../contract.ts';
import type { Launch } from './launch.ts';
import { endGroup, signalGroup } from './process-group.ts';

const BACKSPACE = '\x7f';
const INTERRUPT = '\x03';
const END_OF_INPUT = '\x04';

/** The shell behind a {@link PipedTerminal}. */
export interface PipedShell {
	onData(take: (data: string) => void): void;
	write(data: string): void;
	closeInput(): void;
	interrupt(): void;
	/** Ends the shell and everything it started. */
	hangUp(): Promise<void>;
	/** Exit code. */
	exited: Promise<number>;
}

/** Opens a shell on a terminal device. */
export type TerminalOpener = (launch: Launch, size: TerminalSize) => Terminal;

/** Options that make bash interactive over pipes. */
export const INTERACTIVE: readonly string[] = ['--norc', '--noprofile', '-i'];

export const terminalVariables = ({ columns, rows }: TerminalSize): Record<string, string> => ({
	TERM: 'dumb',
	PS1: '$ ',
	COLUMNS: String(columns),
	LINES: String(rows)
});

/**
 * An interactive bash on pipes.
 *
 * Limit: it has no terminal device, since that requires a native library, so programs that need one (editors, pagers,
 * password prompts) do not work, and the size is only passed as `COLUMNS` and `LINES` at the start. Echo, backspace,
 * Ctrl-C and Ctrl-D are handled here.
 */
export class PipedTerminal implements Terminal {
	readonly exited: Promise<number>;
	readonly #listeners = new Set<(data: string) => void>();
	#unheard = '';
	#line = '';

	constructor(private readonly shell: PipedShell) {
		shell.onData((data) => this.#show(data.replace(/\r?\n/g, '\r\n')));
		this.exited = shell.exited;
	}

	/** @param notice first line, for the user */
	static async open(
		size: TerminalSize,
		{ program, cwd, env }: Omit<Launch, 'args'>,
		notice = ''
	): Promise<PipedTerminal> {
		const shell = spawn(program, INTERACTIVE, {
			cwd,
			env: { ...env, ...terminalVariables(size) },
			detached: true,
			stdio: 'pipe'
		});
		const terminal = new PipedTerminal(shellHere(shell));
		if (notice) terminal.#show(`\x1b[2m${notice}\x1b[0m\r\n`);
		await new Promise<void>((resolve, reject) => {
			shell.once('spawn', resolve);
			shell.once('error', reject);
		});
		return terminal;
	}

	write(data: string): void {
		for (const key of data) this.#press(key);
	}

	resize(): void {
		// Pipes have no size.
	}

	onData(listener: (data: string) => void): () => void {
		const own = (data: string): void => listener(data);
		this.#listeners.add(own);
		if (this.#unheard) own(this.#unheard);
		this.#unheard = '';
		return () => this.#listeners.delete(own);
	}

	async close(): Promise<void> {
		await this.shell.hangUp();
		await this.exited;
	}

	#press(key: string): void {
		if (key === '\r' || key === '\n') {
			this.#show('\r\n');
			this.shell.write(`${this.#line}\n`);
			this.#line = '';
		} else if (key === BACKSPACE || key === '\b') {
			if (!this.#line) return;
			this.#line = [...this.#line].slice(0, -1).join('');
			this.#show('\b \b');
		} else if (key === INTERRUPT) {
			this.#line = '';
			this.#show('^C\r\n');
			this.shell.interrupt();
		} else if (key === END_OF_INPUT) {
			if (this.#line) this.shell.write(this.#line);
			this.shell.closeInput();
		} else {
			this.#line += key;
			this.#show(key);
		}
	}

	#show(data: string): void {
		if (this.#listeners.size === 0) this.#unheard += data;
		for (const listener of this.#listeners) listener(data);
	}
}

function shellHere(shell: ChildProcessWithoutNullStreams): PipedShell {
	shell.stdin.on('error', () => undefined);
	return {
		onData: (take) => {
			for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', take);
		},
		write: (data) => void shell.stdin.write(data),
		closeInput: () => void shell.stdin.end(),
		interrupt: () => void (shell.pid !== undefined && signalGroup(shell.pid, 'SIGINT')),
		hangUp: async () => {
			if (shell.exitCode === null && shell.pid !== undefined) await endGroup(shell.pid, 'SIGHUP');
		},
		exited: new Promise((resolve) => shell.once('exit', (code) => resolve(code ?? 129)))
	};
}
