import type { MachineProvider } from './contract.ts';

/** Time for which an answer is cached: probes come every few seconds and from anyone. */
const KEPT_MS = 10_000;
/** An engine that does not answer within this time counts as unavailable. */
const PATIENCE_MS = 3_000;

export type Readiness = 'ready' | 'away';

/**
 * Reports which types of machines can be created now. Omits the reasons, since they may contain paths of the server.
 */
export class MachineReadiness {
	#known: { atMs: number; answer: Promise<Record<string, Readiness>> } | undefined;

	constructor(
		private readonly providers: readonly MachineProvider[],
		private readonly now: () => number = Date.now,
		private readonly patienceMs = PATIENCE_MS
	) {}

	/** Readiness by type. Never rejects. */
	read(): Promise<Record<string, Readiness>> {
		const atMs = this.now();
		if (!this.#known || atMs - this.#known.atMs >= KEPT_MS) this.#known = { atMs, answer: this.#ask() };
		return this.#known.answer;
	}

	async #ask(): Promise<Record<string, Readiness>> {
		return Object.fromEntries(
			await Promise.all(
				this.providers.map(async (provider) => [provider.type.id, await this.#askOne(provider)] as const)
			)
		);
	}

	async #askOne(provider: MachineProvider): Promise<Readiness> {
		let timer: NodeJS.Timeout | undefined;
		const patience = new Promise<Readiness>((resolve) => (timer = setTimeout(resolve, this.patienceMs, 'away')));
		const answer = provider.check().then(
			() => 'ready' as const,
			() => 'away' as const
		);
		try {
			return await Promise.race([answer, patience]);
		} finally {
			clearTimeout(timer);
		}
	}
}
