import type { SessionStore } from '#session/contract.ts';
import type { Past } from '../past.svelte.ts';
import type { Family } from './family.ts';
import { placeLanes, type Lane } from './place-lanes.ts';

/** The open session and its relatives as lanes: those before the open one, its own, and those after it. */
export class Lanes {
	#family: Family = $state.raw({ parent: null, isMain: true, others: [] });
	readonly all: readonly Lane[] = $derived.by(() => {
		const { parent, isMain, others } = this.#family;
		if (others.length === 0) return [];
		const { project, stops } = this.past;
		const { id, title } = project.stored.summary;
		const own = stops.map(({ kind, name, checkpoint }) => ({ kind, name, entryId: checkpoint.entryId }));
		const entries = new Set(project.stored.log.branch().map((entry) => entry.id));
		return placeLanes([...others, { id, title, parent, isMain, stops: own, entries }]);
	});
	readonly #index = $derived(this.all.findIndex(({ id }) => id === this.past.project.stored.summary.id));
	readonly own = $derived(this.all[this.#index]);
	readonly before = $derived(this.all.slice(0, Math.max(0, this.#index)));
	readonly after = $derived(this.all.slice(this.#index + 1));
	/** Number of columns of the shared scale. */
	readonly columns = $derived(Math.max(1, ...this.all.map(({ end }) => end)));

	constructor(readonly past: Past) {}

	async read(store: SessionStore): Promise<void> {
		const { readFamily } = await import('./family.ts');
		this.#family = await readFamily(store, this.past.project.stored);
	}
}
