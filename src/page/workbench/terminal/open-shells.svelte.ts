import type { ExecutionEnvironment, Terminal, TerminalSize } from '../../../environment/contract.ts';

/** One open shell. */
export interface Shell {
	/** Counts from 1 in the order opened. */
	number: number;
	terminal: Terminal;
	/** The exit code, once it ended. */
	ended: number | null;
}

/** The open shells of a project, all on the one machine. */
export class Shells {
	list: readonly Shell[] = $state.raw([]);
	current: number | null = $state(null);
	failure: unknown = $state.raw(null);
	opening = $state(false);
	#count = 0;

	constructor(private readonly environment: ExecutionEnvironment) {}

	async open(size: TerminalSize = { columns: 80, rows: 24 }): Promise<void> {
		if (this.opening) return;
		this.opening = true;
		this.failure = null;
		try {
			const terminal = await this.environment.openTerminal(size);
			const number = (this.#count += 1);
			this.list = [...this.list, { number, terminal, ended: null }];
			this.current = number;
			void terminal.exited.then((code) => this.#ended(number, code));
		} catch (error) {
			this.failure = error;
		} finally {
			this.opening = false;
		}
	}

	async close(number: number): Promise<void> {
		const shell = this.list.find((candidate) => candidate.number === number);
		this.list = this.list.filter((candidate) => candidate.number !== number);
		if (this.current === number) this.current = this.list.at(-1)?.number ?? null;
		await shell?.terminal.close();
	}

	#ended(number: number, code: number): void {
		this.list = this.list.map((shell) => (shell.number === number ? { ...shell, ended: code } : shell));
	}
}
