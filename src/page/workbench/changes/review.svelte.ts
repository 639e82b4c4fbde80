import * as z from 'zod/mini';
import { TimeSlice } from '#environment/time-slice.ts';
import type { StoredSession } from '#session/contract.ts';
import type { ChangedFile, WorkspaceApi } from '#workspace/contract.ts';
import { StoredValue } from '../../project/stored-value.ts';
import { changeAt } from '../files/change-at.ts';
import { AcceptedPath } from './accepted.ts';
import { partsOf } from './parts.ts';
import { isAt, ReviewComment, type Place } from './review-comment.ts';

/** Accepted paths to store across a reload, newest first: more would slow down each write. */
const MOST_KEPT = 10_000;

const Kept = z.object({ comments: z.array(ReviewComment), accepted: z.record(z.string(), AcceptedPath) });

interface Owner {
	readonly stored: StoredSession;
	readonly changes: readonly ChangedFile[];
	failure: unknown;
}

/** The user's review of the changes: unsent comments and accepted changes. Stored across reloads. */
export class Review {
	comments: readonly ReviewComment[] = $state.raw([]);
	/** Line for which a comment is being written or edited. */
	writing: Place | null = $state.raw(null);
	/** Keyed by path. Not reactive itself, since there may be very many: readers also read `#count`. */
	readonly #accepted = new Map<string, AcceptedPath>();
	/** Number of changes to the map. */
	#count = $state(0);
	readonly #kept: StoredValue<z.infer<typeof Kept>>;

	constructor(private readonly owner: Owner) {
		const fail = (error: unknown): void => void (owner.failure = error);
		const now = () => ({
			comments: [...this.comments],
			accepted: Object.fromEntries([...this.#accepted].slice(-MOST_KEPT))
		});
		this.#kept = new StoredValue(owner.stored, 'review', now, fail);
		this.#kept.read().then((value) => {
			const kept = z.safeParse(Kept, value);
			if (!kept.success) return;
			this.comments = [...kept.data.comments, ...this.comments];
			for (const [path, accepted] of Object.entries(kept.data.accepted))
				if (!this.#accepted.has(path)) this.#accepted.set(path, accepted);
			this.#count++;
		}, fail);
	}

	/** Stores a comment, replacing one on the same line; an empty comment deletes it. */
	say(place: Place, text: string): void {
		const others = this.comments.filter((comment) => !isAt(comment, place));
		const words = text.trim();
		this.comments = words === '' ? others : [...others, { id: crypto.randomUUID(), ...place, text: words }];
		this.writing = null;
		this.#kept.touch();
	}

	remove(id: string): void {
		this.comments = this.comments.filter((comment) => comment.id !== id);
		this.#kept.touch();
	}

	/** Removes the comments, which have been sent to the agent. */
	sent(): void {
		this.comments = [];
		this.#kept.touch();
	}

	/** Returns true if a path has not changed since all of it was accepted. */
	isAccepted({ path, version }: ChangedFile): boolean {
		return this.#known.get(path)?.version === version;
	}

	/** Splits the changes into open and fully accepted ones. */
	sorted(files: readonly ChangedFile[]): { open: readonly ChangedFile[]; accepted: readonly ChangedFile[] } {
		const known = this.#known;
		if (known.size === 0) return { open: files, accepted: [] };
		const [open, accepted]: [ChangedFile[], ChangedFile[]] = [[], []];
		for (const file of files) (known.get(file.path)?.version === file.version ? accepted : open).push(file);
		return { open, accepted };
	}

	isPartAccepted(path: string, part: string): boolean {
		return this.#known.get(path)?.parts.includes(part) ?? false;
	}

	/**
	 * Accepts parts of a path's difference; accepting the last one accepts the whole path.
	 *
	 * @param version version of the difference that was reviewed
	 * @param all all of its parts; empty for a file that is not text
	 */
	accept(path: string, version: string, parts: readonly string[], all: readonly string[]): void {
		const known = this.#accepted.get(path)?.parts.filter((part) => all.includes(part)) ?? [];
		const accepted = [...new Set([...known, ...parts])];
		const whole = all.every((part) => accepted.includes(part));
		this.#put(path, { version: whole ? version : null, parts: accepted });
	}

	/** Accepts a whole path in its current state. */
	async acceptFile(workspace: WorkspaceApi, file: ChangedFile): Promise<void> {
		const ids = await partIds(workspace, file);
		this.accept(file.path, file.version, ids, ids);
	}

	/**
	 * Accepts many whole paths in their current state.
	 *
	 * @param shown number of displayed paths: if one of these changes later, its other parts stay accepted
	 */
	async acceptAll(workspace: WorkspaceApi, files: readonly ChangedFile[], shown: number): Promise<void> {
		const parts: (readonly string[])[] = [];
		for (const file of files.slice(0, shown)) parts.push(await partIds(workspace, file));
		const slice = new TimeSlice();
		for (const [index, { path, version }] of files.entries()) {
			if (slice.isExpired()) await slice.yieldThread();
			this.#accepted.set(path, { version, parts: [...(parts[index] ?? [])] });
		}
		this.#changed();
	}

	/** Marks the part, or the whole path, as not reviewed again. */
	reopen(path: string, part?: string): void {
		const parts = part === undefined ? [] : (this.#accepted.get(path)?.parts.filter((other) => other !== part) ?? []);
		this.#put(path, { version: null, parts });
	}

	leave(): void {
		this.#kept.leave();
	}

	get #known(): ReadonlyMap<string, AcceptedPath> {
		void this.#count;
		return this.#accepted;
	}

	/** Also removes paths that have no changes any more. */
	#put(path: string, accepted: AcceptedPath): void {
		const { changes } = this.owner;
		for (const other of this.#accepted.keys()) if (!changeAt(changes, other)) this.#accepted.delete(other);
		this.#accepted.set(path, accepted);
		this.#changed();
	}

	#changed(): void {
		this.#count++;
		this.#kept.touch();
	}
}

async function partIds(workspace: WorkspaceApi, { path }: ChangedFile): Promise<string[]> {
	return (await partsOf(workspace, path))?.map(({ id }) => id) ?? [];
}
