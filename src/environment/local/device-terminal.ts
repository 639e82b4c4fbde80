import type { Terminal, TerminalSize } from '../contract.ts';
import { pauseUntil } from './pause-until.ts';

/** A shell on a terminal device, of this machine or another. */
export interface TerminalDevice {
	/** Registers the receiver of the shell's output. Called once, at the start. */
	onData(take: (data: string) => void): void;
	pause(): void;
	resume(): void;
	write(data: string): void;
	resize(size: TerminalSize): void;
	/** Ends the shell and everything it started. */
	hangUp(): Promise<void>;
	/** Exit code. */
	exited: Promise<number>;
}

/** Variables of a shell on a terminal device. */
export const DEVICE_VARIABLES: Readonly<Record<string, string>> = { TERM: 'xterm-256color', PS1: '$ ' };

/** An interactive shell on a terminal device: editors, pagers, job control and sizes work as in any terminal. */
export class DeviceTerminal implements Terminal {
	readonly exited: Promise<number>;
	readonly #listeners = new Set<(data: string) => unknown>();
	#unheard = '';

	constructor(private readonly device: TerminalDevice) {
		this.exited = device.exited;
		device.onData((data) => {
			if (this.#listeners.size === 0) this.#unheard += data;
			for (const listener of this.#listeners) pauseUntil(device, listener(data));
		});
	}

	write(data: string): void {
		this.device.write(data);
	}

	resize(size: TerminalSize): void {
		this.device.resize(size);
	}

	onData(listener: (data: string) => unknown): () => void {
		const own = (data: string): unknown => listener(data);
		this.#listeners.add(own);
		if (this.#unheard) own(this.#unheard);
		this.#unheard = '';
		return () => this.#listeners.delete(own);
	}

	async close(): Promise<void> {
		await this.device.hangUp();
		await this.exited;
	}
}
