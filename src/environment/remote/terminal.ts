import type { Terminal, TerminalSize } from '../contract.ts';
import type { CallEvent, RemoteCaller } from './connection.ts';

/** Characters that are reported together as displayed. */
const REPORTED = 64 * 1024;

/** A terminal on the machine. */
export class RemoteTerminal implements Terminal {
	readonly exited: Promise<number>;
	readonly #listeners = new Set<(data: string) => unknown>();
	#unheard = '';
	/** Displayed and not yet reported. */
	#taken = 0;
	#of = 0;
	#end: (exitCode: number) => void = () => {};

	constructor(private readonly call: RemoteCaller) {
		this.exited = new Promise((resolve) => (this.#end = resolve));
	}

	/** @param of id of the call that opened it */
	begin(of: number): void {
		this.#of = of;
	}

	hear(event: CallEvent): void {
		if (event.type === 'terminalExit') this.#end(event.exitCode);
		else if (event.type === 'terminalData') {
			if (this.#listeners.size === 0) this.#unheard += event.data;
			else this.#show(event.data);
		}
	}

	/** The machine is gone, and this terminal with it. */
	lose(): void {
		this.#end(129);
	}

	write(data: string): void {
		this.#send(this.call('terminalWrite', { of: this.#of, data }));
	}

	resize(size: TerminalSize): void {
		this.#send(this.call('terminalResize', { of: this.#of, size }));
	}

	onData(listener: (data: string) => unknown): () => void {
		const own = (data: string): unknown => listener(data);
		this.#listeners.add(own);
		const unheard = this.#unheard;
		this.#unheard = '';
		if (unheard) this.#show(unheard);
		return () => this.#listeners.delete(own);
	}

	async close(): Promise<void> {
		await this.call('terminalClose', { of: this.#of });
		await this.exited;
	}

	/** The shell over there waits for a listener that takes its time. */
	#show(data: string): void {
		const shown = [...this.#listeners].map((listener) => listener(data));
		void Promise.allSettled(shown).then(() => {
			this.#taken += data.length;
			if (this.#taken < REPORTED) return;
			this.#send(this.call('terminalTaken', { of: this.#of, characters: this.#taken }));
			this.#taken = 0;
		});
	}

	/** A lost machine is reported by {@link exited} and the state of the connection, not by each keystroke. */
	#send(sent: Promise<unknown>): void {
		sent.catch(() => undefined);
	}
}
