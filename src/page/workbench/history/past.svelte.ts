import { locale } from '../../language.ts';
import type { Project } from '../../project/project.svelte.ts';
import { t } from '../../strings/index.ts';
import type { Item } from '../../timeline/items.ts';
import type { HistoryFiles } from './moment.ts';
import { stopsOf, withoutRepeats } from './stops.ts';

/** Delay before a hovered moment is shown, so that moving across the line shows nothing. */
const HOVER_MS = 140;

/** The displayed moment of a project's history: the one chosen on the line, or the one under the pointer. */
export class Past {
	/** Index of the chosen stop; `null` is the present. */
	chosen: number | null = $state(null);
	#hovered: number | null = $state(null);
	#timer: ReturnType<typeof setTimeout> | null = null;
	readonly files: HistoryFiles;
	readonly stops = $derived.by(() => {
		// The timeline's fold knows the item before each checkpoint; reading its items makes this reactive.
		void this.project.timeline.items;
		const happenedBefore = (id: string): Item | undefined => this.project.timeline.happenedBefore(id);
		return stopsOf(withoutRepeats(this.project.checkpoints, happenedBefore), happenedBefore);
	});
	/** Index of the displayed stop; `null` is the present. */
	readonly index = $derived.by(() => {
		const index = this.#hovered ?? this.chosen;
		return index !== null && index < this.stops.length ? index : null;
	});
	readonly stop = $derived(this.index === null ? undefined : this.stops[this.index]);

	constructor(readonly project: Project) {
		this.files = {
			tree: (at) => project.stored.readTree(this.stops[at]?.checkpoint.tree ?? ''),
			read: (blob) => project.stored.readBlob(blob)
		};
	}

	get last(): number {
		return this.stops.length;
	}

	/** Name of the displayed moment. */
	get label(): string {
		return this.stop?.name ?? t.checkpoints.now;
	}

	/** Time of the displayed moment; empty for the present. */
	get time(): string {
		const at = this.stop?.checkpoint.timestamp;
		return at === undefined ? '' : new Date(at).toLocaleTimeString(locale, { hourCycle: 'h23' });
	}

	/** Last message or step before the displayed moment; `null` in the present. */
	get item(): Item | null {
		return (this.stop && this.project.timeline.happenedBefore(this.stop.checkpoint.id)) ?? null;
	}

	/** The conversation up to the displayed moment. */
	get items(): readonly Item[] {
		const { items } = this.project.timeline;
		if (!this.stop) return items;
		return this.item ? items.slice(0, items.findIndex(({ key }) => key === this.item?.key) + 1) : [];
	}

	/** True if the session can go back; a working agent is stopped first. */
	get canGo(): boolean {
		return this.project.writable && !this.project.fork.isOpen;
	}

	/** True while forking is not possible. */
	get isBusy(): boolean {
		return this.project.working || !this.canGo;
	}

	choose(index: number | null): void {
		this.hover(null);
		this.chosen = index === null || index >= this.last ? null : Math.max(0, index);
	}

	hover(index: number | null): void {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		if (index === null || this.#hovered !== null) this.#hovered = index;
		else this.#timer = setTimeout(() => (this.#hovered = index), HOVER_MS);
	}

	leave(): void {
		this.choose(null);
	}
}
