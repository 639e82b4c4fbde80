import type { Terminal, TerminalSize } from '../contract.ts';
import type { CallEvent, RemoteCaller } from './connection.ts';

/** A terminal on the machine. */
export class RemoteTerminal implements Terminal {
	readonly exited: Promise<number>;
	readonly #listeners = new Set<(data: string) => void>();
	#unheard = '';
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
			for (const listener of this.#listeners) listener(event.data);
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

	onData(listener: (data: string) => void): () => void {
		const own = (data: string): void => listener(data);
		this.#listeners.add(own);
		if (this.#unheard) own(this.#unheard);
		this.#unheard = '';
		return () => this.#listeners.delete(own);
	}

	async close(): Promise<void> {
		await this.call('terminalClose', { of: this.#of });
		await this.exited;
	}

	/** A lost machine is reported by {@link exited} and the state of the connection, not by each keystroke. */
	#send(sent: Promise<unknown>): void {
		sent.catch(() => undefined);
	}
}
