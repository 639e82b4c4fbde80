import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Terminal, TerminalSize } from '../contract.ts';
import type { CommandPlace } from './command.ts';
import { endGroup, signalGroup } from './process-group.ts';

const BACKSPACE = '\x7f';
const INTERRUPT = '\x03';
const END_OF_INPUT = '\x04';

/**
 * An interactive bash on pipes. Limit: it is no terminal device, since that takes a native library,
 * so programs that ask for one (editors, pagers, password prompts) do not work, and the size is only
 * handed on as `COLUMNS` and `LINES` at the start. Echo, backspace, Ctrl-C and Ctrl-D are done here.
 */
export class PipedTerminal implements Terminal {
	readonly exited: Promise<number>;
	readonly #shell: ChildProcessWithoutNullStreams;
	readonly #listeners = new Set<(data: string) => void>();
	#unheard = '';
	#line = '';

	private constructor(shell: ChildProcessWithoutNullStreams) {
		this.#shell = shell;
		shell.stdin.on('error', () => undefined);
		for (const stream of [shell.stdout, shell.stderr])
			stream.setEncoding('utf8').on('data', (data: string) => this.#show(data.replace(/\r?\n/g, '\r\n')));
		this.exited = new Promise((resolve) => shell.once('exit', (code) => resolve(code ?? 129)));
	}

	static async open(size: TerminalSize, place: CommandPlace): Promise<PipedTerminal> {
		const shell = spawn(place.shell, ['--norc', '--noprofile', '-i'], {
			cwd: place.cwd,
			env: {
				...place.variables,
				TERM: 'dumb',
				PS1: '$ ',
				COLUMNS: String(size.columns),
				LINES: String(size.rows)
			},
			detached: true,
			stdio: 'pipe'
		});
		const terminal = new PipedTerminal(shell);
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
		if (this.#shell.exitCode === null && this.#shell.pid !== undefined) await endGroup(this.#shell.pid, 'SIGHUP');
		await this.exited;
	}

	#press(key: string): void {
		if (key === '\r' || key === '\n') {
			this.#show('\r\n');
			this.#shell.stdin.write(`${this.#line}\n`);
			this.#line = '';
		} else if (key === BACKSPACE || key === '\b') {
			if (!this.#line) return;
			this.#line = [...this.#line].slice(0, -1).join('');
			this.#show('\b \b');
		} else if (key === INTERRUPT) {
			this.#line = '';
			this.#show('^C\r\n');
			if (this.#shell.pid !== undefined) signalGroup(this.#shell.pid, 'SIGINT');
		} else if (key === END_OF_INPUT) this.#shell.stdin.end(this.#line);
		else {
			this.#line += key;
			this.#show(key);
		}
	}

	#show(data: string): void {
		if (this.#listeners.size === 0) this.#unheard += data;
		for (const listener of this.#listeners) listener(data);
	}
}
