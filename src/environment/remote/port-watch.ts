import type { ListeningPort } from './servers.ts';

/** Limit: more are not servers to show to a user, but a program that experiments. */
const MAX_PORTS = 100;
/** Maximum wait in {@link PortWatch.refreshSoon}. */
const SOON_MS = 1_000;

/** Tracks listening ports by polling as long as there are subscribers. */
export class PortWatch {
	#ports: readonly ListeningPort[] = [];
	readonly #listeners = new Set<() => void>();
	#timer: ReturnType<typeof setTimeout> | undefined;
	#looking: Promise<void> | undefined;
	/** The look queued after the current one. */
	#next: Promise<void> | undefined;

	/**
	 * @param look returns the ports that currently listen; if it rejects, the ports stay as they were
	 * @param everyMs pause between two looks
	 */
	constructor(
		private readonly look: () => Promise<readonly ListeningPort[]>,
		private readonly everyMs: number
	) {}

	get ports(): readonly ListeningPort[] {
		return this.#ports;
	}

	onPorts(listener: () => void): () => void {
		const own = (): void => listener();
		this.#listeners.add(own);
		this.#timer ??= setTimeout(() => void this.#turn(), 0);
		return () => {
			this.#listeners.delete(own);
			if (this.#listeners.size === 0) this.stop();
		};
	}

	/** Looks again: a look in progress may have missed ports that opened since it started. Never rejects. */
	refresh(): Promise<void> {
		if (!this.#looking) return this.#start();
		return (this.#next ??= this.#looking.then(() => this.#start()));
	}

	#start(): Promise<void> {
		this.#next = undefined;
		this.#looking = this.#look().finally(() => (this.#looking = undefined));
		return this.#looking;
	}

	/** Like {@link refresh}, without waiting for long: a machine may not answer. */
	async refreshSoon(): Promise<void> {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, SOON_MS)));
		await Promise.race([this.refresh(), late]);
		clearTimeout(timer);
	}

	stop(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	async #turn(): Promise<void> {
		await this.refresh();
		if (this.#timer !== undefined) this.#timer = setTimeout(() => void this.#turn(), this.everyMs);
	}

	async #look(): Promise<void> {
		const found = await this.look().catch(() => null);
		if (!found) return;
		const ports = [...new Map(found.map((each) => [each.port, each])).values()]
			.sort((a, b) => a.port - b.port)
			.slice(0, MAX_PORTS);
		const isSame =
			ports.length === this.#ports.length &&
			ports.every(({ port, pid }, index) => this.#ports[index]?.port === port && this.#ports[index].pid === pid);
		if (isSame) return;
		this.#ports = ports;
		for (const listener of this.#listeners) listener();
	}
}
