import * as z from 'zod/mini';
import { StoredValue } from '../../project/stored-value.ts';
import type { StoredSession } from '#session/contract.ts';

const Tabs = z.object({
	paths: z.array(z.string()),
	active: z.nullable(z.string()),
	/** Files with a draft. */
	dirty: z.array(z.string()),
	recent: z.optional(z.array(z.string()))
});
/** Files to remember as recently displayed. */
const MOST_RECENT = 30;

/** A place in a file to display and select. */
export interface PlaceToShow {
	path: string;
	/** 1-based; absent: the editor only takes the focus. */
	line?: number | undefined;
	/** 1-based, in UTF-16 units. Default 1. */
	column?: number | undefined;
	/** Length of the selection. */
	length?: number | undefined;
}

const Draft = z.object({ text: z.string(), base: z.string() });
/** Unsaved text, and the file's content when it was started. */
export type Draft = z.infer<typeof Draft>;

/** Files open in the editor, with their unsaved text. Stored with the session. */
export class OpenFiles {
	/** Relative to the working directory, in the order of their tabs. */
	paths: readonly string[] = $state.raw([]);
	active: string | null = $state(null);
	dirty: ReadonlySet<string> = $state.raw(new Set());
	/** Recently displayed files, latest first, including closed ones. */
	recent: readonly string[] = $state.raw([]);
	/** The editor of the file displays it and then resets it. */
	placeToShow: PlaceToShow | null = $state.raw(null);
	/** A file that was opened automatically: the first file that the user chooses replaces it. */
	#unchosen: string | null = null;
	readonly #drafts = new Map<string, Draft | null>();
	readonly #kept = new Map<string, StoredValue<unknown>>();
	readonly #tabs: StoredValue<unknown>;
	readonly restored: Promise<void>;

	/** @param stored storage; nothing is stored while it is read-only */
	constructor(
		private readonly stored: StoredSession,
		private readonly onFailure: (error: unknown) => void
	) {
		const value = (): z.infer<typeof Tabs> => ({
			paths: [...this.paths],
			active: this.active,
			dirty: [...this.dirty],
			recent: [...this.recent]
		});
		this.#tabs = new StoredValue(stored, 'open-files', value, onFailure);
		this.restored = this.#restore().catch(onFailure);
	}

	/** Shows a file in its tab or a new one. */
	open(path: string): void {
		if (!this.paths.includes(path)) {
			const replaced = this.#unchosen === null ? -1 : this.paths.indexOf(this.#unchosen);
			this.paths = replaced < 0 ? [...this.paths, path] : this.paths.with(replaced, path);
		}
		if (this.#unchosen !== path) this.#unchosen = null;
		this.active = path;
		this.recent = [path, ...this.recent.filter((other) => other !== path)].slice(0, MOST_RECENT);
		this.#changed();
	}

	/** Shows and selects a place in a file. */
	openAt(place: PlaceToShow): void {
		this.placeToShow = place;
		this.open(place.path);
	}

	/** Displays a file that the user did not choose, if nothing is open. */
	openUnchosen(path: string): void {
		if (this.paths.length > 0) return;
		this.#unchosen = path;
		this.open(path);
	}

	/** Shows a file that the agent works on: in its tab, or in one that the next such file replaces. */
	follow(path: string): void {
		if (this.active === path) return;
		const isOpen = this.paths.includes(path);
		const wasUnchosen = this.#unchosen === path;
		this.open(path);
		if (!isOpen || wasUnchosen) this.#unchosen = path;
	}

	/** Leaves the open file for the list of files; the tabs stay. */
	hide(): void {
		this.active = null;
		this.#changed();
	}

	/** Closes a tab and discards its draft; the neighboring tab is shown. */
	close(path: string): void {
		const at = this.paths.indexOf(path);
		if (at < 0) return;
		this.edited(path, null);
		this.paths = this.paths.filter((other) => other !== path);
		if (this.active === path) this.active = this.paths[Math.min(at, this.paths.length - 1)] ?? null;
		this.#changed();
	}

	/** Updates paths after a file or folder was moved; drafts move along. */
	async moved(from: string, to: string): Promise<void> {
		const renamed = (path: string): string =>
			path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
		for (const path of this.dirty) {
			if (renamed(path) === path) continue;
			const draft = await this.draftOf(path);
			this.edited(path, null);
			this.edited(renamed(path), draft);
		}
		this.paths = [...new Set(this.paths.map(renamed))];
		this.recent = this.recent.map(renamed);
		if (this.active !== null) this.active = renamed(this.active);
		this.#changed();
	}

	/** Draft of a file, possibly from an earlier visit. */
	async draftOf(path: string): Promise<Draft | null> {
		await this.restored;
		const known = this.#drafts.get(path);
		if (known !== undefined || !this.dirty.has(path)) return known ?? null;
		const read = z.safeParse(Draft, await this.#storedDraft(path).read());
		const draft = read.success ? read.data : null;
		this.#drafts.set(path, draft);
		return draft;
	}

	/** @param draft `null`: the editor's text matches the file */
	edited(path: string, draft: Draft | null): void {
		if (!this.stored.writable) return;
		if (draft === null && !this.dirty.has(path)) return;
		this.#drafts.set(path, draft);
		this.#storedDraft(path).touch();
		if (this.dirty.has(path) === (draft !== null)) return;
		const dirty = new Set(this.dirty);
		if (draft === null) dirty.delete(path);
		else dirty.add(path);
		this.dirty = dirty;
		if (this.#unchosen === path) this.#unchosen = null;
		this.#changed();
	}

	/** Writes pending drafts and releases resources. */
	leave(): void {
		for (const kept of [this.#tabs, ...this.#kept.values()]) kept.leave();
	}

	async #restore(): Promise<void> {
		const kept = z.safeParse(Tabs, await this.#tabs.read());
		// Files opened meanwhile come after the restored ones.
		if (!kept.success) return;
		const { paths, active, dirty, recent = [] } = kept.data;
		this.paths = [...new Set([...paths, ...this.paths])];
		this.active ??= active;
		this.recent = [...new Set([...this.recent, ...recent])];
		this.dirty = new Set([...dirty, ...this.dirty]);
	}

	#storedDraft(path: string): StoredValue<unknown> {
		let kept = this.#kept.get(path);
		if (!kept) {
			kept = new StoredValue<unknown>(
				this.stored,
				`unsaved:${path}`,
				() => this.#drafts.get(path) ?? null,
				this.onFailure
			);
			this.#kept.set(path, kept);
		}
		return kept;
	}

	#changed(): void {
		if (this.stored.writable) this.#tabs.touch();
	}
}
