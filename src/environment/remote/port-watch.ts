import type { ListeningPort } from './servers.ts';

/** More are no servers that a person wants to see, but a program that tries what happens. */
const MAX_PORTS = 100;
/** A caller of {@link PortWatch.refreshSoon} waits this long at most. */
const SOON_MS = 1_000;

/** Follows which ports listen, by looking again and again as long as someone wants to know. */
export class PortWatch {
	#ports: readonly ListeningPort[] = [];
	readonly #listeners = new Set<() => void>();
	#timer: ReturnType<typeof setTimeout> | undefined;
	#looking: Promise<void> | undefined;
	/** The look behind the one that is under way. */
	#next: Promise<void> | undefined;

	/**
	 * @param look returns the ports that listen now; one that rejects leaves the ports as they were
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

	/** Looks now: a look that is under way may have missed what has opened since it began. Never rejects. */
	refresh(): Promise<void> {
		if (!this.#looking) return this.#start();
		return (this.#next ??= this.#looking.then(() => this.#start()));
	}

	#start(): Promise<void> {
		this.#next = undefined;
		this.#looking = this.#look().finally(() => (this.#looking = undefined));
		return this.#looking;
	}

	/** The same, without waiting for long: a machine may not answer. */
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
