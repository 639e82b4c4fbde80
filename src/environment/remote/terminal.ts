import type { Terminal, TerminalSize } from '../contract.ts';
import type { CallEvent, RemoteCaller } from './connection.ts';

/** Number of displayed characters after which the page reports them. */
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

	/** Ends this terminal because the machine is gone. */
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

	/** Displays output; the remote shell waits if a listener is slow. */
	#show(data: string): void {
		const shown = [...this.#listeners].map((listener) => listener(data));
		void Promise.allSettled(shown).then(() => {
			this.#taken += data.length;
			if (this.#taken < REPORTED) return;
			this.#send(this.call('terminalTaken', { of: this.#of, characters: this.#taken }));
			this.#taken = 0;
		});
	}

	/** Ignores errors: {@link exited} and the connection state report a lost machine, not each keystroke. */
	#send(sent: Promise<unknown>): void {
		sent.catch(() => undefined);
	}
}
