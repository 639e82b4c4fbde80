import type { ExecutionEnvironment, Terminal } from '#environment/contract.ts';
import { UNFITTED, type FirstShell } from './first-shell.ts';

/** One open shell. */
export interface Shell {
	/** 1-based, in the order of opening. */
	number: number;
	terminal: Terminal;
	/** Text from before the page was reloaded; the process that wrote it is gone. */
	earlier: string;
	/** Exit code, once it has ended. */
	ended: number | null;
}

/** Open shells of a project, all on the same machine. */
export class Shells {
	list: readonly Shell[] = $state.raw([]);
	current: number | null = $state(null);
	failure: unknown = $state.raw(null);
	opening = $state(false);
	#count = 0;
	readonly #texts = new Map<number, () => string>();

	/** @param first used for the first shell that is opened */
	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly first: FirstShell
	) {}

	async open(earlier = ''): Promise<void> {
		if (this.opening) return;
		this.opening = true;
		this.failure = null;
		try {
			const terminal = await (this.first.take() ?? this.environment.openTerminal(UNFITTED));
			const number = (this.#count += 1);
			this.list = [...this.list, { number, terminal, earlier, ended: null }];
			this.current = number;
			void terminal.exited.then((code) => this.#ended(number, code));
		} catch (error) {
			this.failure = error;
		} finally {
			this.opening = false;
		}
	}

	/** Opens as many shells as before, each below its earlier text; one if there were none. */
	async restore(earlier: readonly string[]): Promise<void> {
		for (const text of earlier.length > 0 ? earlier : ['']) await this.open(text);
		this.current = this.list[0]?.number ?? null;
	}

	async close(number: number): Promise<void> {
		const shell = this.list.find((candidate) => candidate.number === number);
		this.list = this.list.filter((candidate) => candidate.number !== number);
		if (this.current === number) this.current = this.list.at(-1)?.number ?? null;
		this.#texts.delete(number);
		await shell?.terminal.close();
	}

	/** Called by a shell's view to provide access to its content. */
	shownBy(number: number, text: () => string): void {
		this.#texts.set(number, text);
	}

	/** Content of each shell, with its colors, in the order of opening. */
	texts(): string[] {
		return this.list.map(({ number, earlier }) => this.#texts.get(number)?.() ?? earlier);
	}

	#ended(number: number, code: number): void {
		this.list = this.list.map((shell) => (shell.number === number ? { ...shell, ended: code } : shell));
	}
}
