import * as z from 'zod/mini';
import type { StoredSession } from '../../../session/contract.ts';
import type { ChangedFile, WorkspaceApi } from '../../../workspace/contract.ts';
import { KeptValue } from '../../project/kept-value.ts';
import { AcceptedPath } from './accepted.ts';
import { partsOf } from './parts.ts';
import { isAt, ReviewComment, type Place } from './review-comment.ts';

const Kept = z.object({ comments: z.array(ReviewComment), accepted: z.record(z.string(), AcceptedPath) });

interface Owner {
	readonly stored: StoredSession;
	readonly changes: readonly ChangedFile[];
	failure: unknown;
}

/** A person's review of the changes: comments that wait to be sent, and what was accepted. Kept over a reload. */
export class Review {
	comments: readonly ReviewComment[] = $state.raw([]);
	/** The line that is being written about, and the comment that is being changed. */
	writing: Place | null = $state.raw(null);
	#accepted: Readonly<Record<string, AcceptedPath>> = $state.raw({});
	readonly #kept: KeptValue<z.infer<typeof Kept>>;

	constructor(private readonly owner: Owner) {
		const fail = (error: unknown): void => void (owner.failure = error);
		const now = () => ({ comments: [...this.comments], accepted: { ...this.#accepted } });
		this.#kept = new KeptValue(owner.stored, 'review', now, fail);
		this.#kept.read().then((value) => {
			const kept = z.safeParse(Kept, value);
			if (!kept.success) return;
			this.comments = [...kept.data.comments, ...this.comments];
			this.#accepted = { ...kept.data.accepted, ...this.#accepted };
		}, fail);
	}

	/** Keeps a comment; one that stands at the same line is replaced, and an empty one is none. */
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

	/** They have gone to the agent. */
	sent(): void {
		this.comments = [];
		this.#kept.touch();
	}

	/** Whether nothing of a path has changed since all of it was accepted. */
	isAccepted(file: ChangedFile): boolean {
		return this.#accepted[file.path]?.version === file.version;
	}

	isPartAccepted(path: string, part: string): boolean {
		return this.#accepted[path]?.parts.includes(part) ?? false;
	}

	/**
	 * Accepts parts of a path's difference, and with the last of them all of it.
	 *
	 * @param version of the difference that was looked at
	 * @param all every part there is in it; none for a file that is not text
	 */
	accept(path: string, version: string, parts: readonly string[], all: readonly string[]): void {
		const known = this.#accepted[path]?.parts.filter((part) => all.includes(part)) ?? [];
		const accepted = [...new Set([...known, ...parts])];
		const whole = all.every((part) => accepted.includes(part));
		this.#put(path, { version: whole ? version : null, parts: accepted });
	}

	/** Accepts a path whole, as it stands. */
	async acceptFile(workspace: WorkspaceApi, file: ChangedFile): Promise<void> {
		const ids = (await partsOf(workspace, file.path))?.map(({ id }) => id) ?? [];
		this.accept(file.path, file.version, ids, ids);
	}

	/** Takes it back: the part, or the whole path, is to be reviewed again. */
	reopen(path: string, part?: string): void {
		const parts = part === undefined ? [] : (this.#accepted[path]?.parts.filter((other) => other !== part) ?? []);
		this.#put(path, { version: null, parts });
	}

	leave(): void {
		this.#kept.leave();
	}

	/** What is not changed any more needs no answer: it is forgotten with the next one. */
	#put(path: string, accepted: AcceptedPath): void {
		const changed = new Set(this.owner.changes.map((file) => file.path));
		const known = Object.entries(this.#accepted).filter(([other]) => changed.has(other) && other !== path);
		this.#accepted = Object.fromEntries([...known, [path, accepted]]);
		this.#kept.touch();
	}
}
