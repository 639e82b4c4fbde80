import type { SessionStore, ShareBundle } from '#session/contract.ts';
import type { ImportProgress } from '#workspace/contract.ts';
import type { ModelChoice, Parts } from '../parts.ts';
import { markForeign } from '../permissions/project-rules.svelte.ts';
import { keepLeaf } from '../project/leaf.ts';
import { bundleAt } from './shared-history.ts';
import { finish, nameOf, openNew, type Opened, type OpenOptions } from '../project/open.ts';

/**
 * The visitor's own session from a share: its base, then the session's changes. It may be prepared before the visitor
 * continues: an unlisted session gets an empty computer with the base's files; no program is started on them before
 * {@link finish}.
 */
export class ShareContinuation {
	readonly #abort = new AbortController();
	readonly #going: Promise<void>;
	#go: () => void = () => {};
	#isGoing = false;
	#onProgress: (progress: ImportProgress) => void = () => {};
	#progress: ImportProgress | null = null;
	readonly #base: Promise<Opened>;

	/**
	 * @param fetchBase `fetch` that may already be downloading the base's archive
	 * @param maxBytes limit for unpacked files; default: that of an import
	 */
	constructor(
		private readonly bundle: ShareBundle,
		choice: ModelChoice,
		private readonly place: { parts: Parts; store: SessionStore },
		fetchBase: typeof fetch,
		maxBytes?: number
	) {
		const { signal } = this.#abort;
		this.#going = new Promise((resolve, reject) => {
			this.#go = resolve;
			signal.addEventListener('abort', () => reject(signal.reason));
		});
		this.#base = this.#begin(choice, fetchBase, maxBytes);
		// The caller of `finish` receives the failure.
		for (const promise of [this.#going, this.#base]) promise.catch(() => {});
	}

	/**
	 * Completes the session. Rejects like an import, or when it was abandoned; nothing of it remains then.
	 *
	 * @param options `from`: id of the checkpoint to start from; default: the end
	 */
	async finish({
		signal,
		onProgress,
		from = null
	}: Pick<OpenOptions, 'signal' | 'onProgress'> & { from?: string | null }): Promise<Opened> {
		if (onProgress) this.#onProgress = onProgress;
		if (this.#progress) this.#onProgress(this.#progress);
		if (signal?.aborted) this.#abort.abort(signal.reason);
		signal?.addEventListener('abort', () => this.#abort.abort(signal.reason));
		this.#isGoing = true;
		this.#go();
		const bundle = from === null ? this.bundle : bundleAt(this.bundle, from);
		const opened = await finish(this.place.store, await this.#base, (base) => this.#complete(base, bundle));
		// A run in progress at the chosen moment was left by the visitor, not interrupted by a closed page.
		return { ...opened, rewound: from !== null };
	}

	/** Discards the prepared session. */
	leave(): void {
		this.#abort.abort(new DOMException('The share was left', 'AbortError'));
	}

	#begin(choice: ModelChoice, fetchBase: typeof fetch, maxBytes: number | undefined): Promise<Opened> {
		const { bundle } = this;
		const { parts, store } = this.place;
		const { signal } = this.#abort;
		const { origin, title } = bundle;
		const about = { origin, title, ...nameOf(choice) };
		return openNew(about, { parts, store, signal }, async ({ environment, notices }) => {
			const { restoreBase } = await import('#session/share/restore.ts');
			const importing = {
				signal,
				serverUrl: location.origin,
				fetch: fetchBase,
				onProgress: (progress: ImportProgress) => this.#onProgress((this.#progress = progress)),
				beforePrograms: async () => {
					// Hashes the contents in advance, which takes as long as writing them.
					if (!this.#isGoing) await environment.snapshot();
					await this.#going;
				},
				...(maxBytes === undefined ? {} : { maxBytes })
			};
			notices.push(...(await restoreBase(bundle, environment, parts.importRepository, importing)));
			signal.throwIfAborted();
		});
	}

	async #complete({ environment, stored }: Opened, bundle: ShareBundle): Promise<void> {
		await markForeign(stored);
		stored.adopt(bundle.entries);
		if (bundle.history) {
			const { restoreHistory } = await import('#session/share/history.ts');
			await restoreHistory(bundle, bundle.history, environment, stored);
		} else {
			const { restoreChanges } = await import('#session/share/restore.ts');
			await restoreChanges(bundle, environment);
		}
		if (bundle.leaf === undefined || !bundle.entries.some(({ id }) => id === bundle.leaf)) return;
		stored.log.moveTo(bundle.leaf);
		await keepLeaf(stored);
	}
}
