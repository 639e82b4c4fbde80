import type { WebContainerProcess } from '@webcontainer/api';
import type { Terminal, TerminalSize } from '../contract.ts';

/** Exit code of a shell that was hung up: 128 + SIGHUP. */
const HUNG_UP = 129;

/** The container's own interactive shell, on its terminal. */
export class ContainerTerminal implements Terminal {
	readonly exited: Promise<number>;
	readonly #writer: WritableStreamDefaultWriter<string>;
	readonly #listeners = new Set<(data: string) => void>();
	#unheard = '';
	#ended = false;

	constructor(private readonly process: WebContainerProcess) {
		this.#writer = process.input.getWriter();
		void this.#listen();
		this.exited = process.exit
			.catch(() => HUNG_UP)
			.then((code) => {
				this.#ended = true;
				return code;
			});
	}

	write(data: string): void {
		if (this.#ended) return;
		this.#writer.write(data).catch(() => {
			// The shell ended meanwhile; `exited` reports it.
		});
	}

	resize({ columns, rows }: TerminalSize): void {
		if (!this.#ended) this.process.resize({ cols: columns, rows });
	}

	onData(listener: (data: string) => void): () => void {
		const own = (data: string): void => listener(data);
		this.#listeners.add(own);
		if (this.#unheard) own(this.#unheard);
		this.#unheard = '';
		return () => this.#listeners.delete(own);
	}

	async close(): Promise<void> {
		if (!this.#ended) this.process.kill();
		await this.exited;
	}

	async #listen(): Promise<void> {
		try {
			for await (const data of this.process.output) {
				if (this.#listeners.size === 0) this.#unheard += data;
				for (const listener of this.#listeners) listener(data);
			}
		} catch {
			// The container is gone; `exited` reports it.
		}
	}
}
