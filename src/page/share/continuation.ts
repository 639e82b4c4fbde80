import type { SessionStore, ShareBundle } from '#session/contract.ts';
import type { ImportProgress } from '#workspace/contract.ts';
import type { ModelChoice, Parts } from '../parts.ts';
import { markForeign } from '../permissions/project-rules.svelte.ts';
import { keepLeaf } from '../project/leaf.ts';
import { bundleAt } from './shared-history.ts';
import { finish, nameOf, openNew, type Opened, type OpenOptions } from '../project/open.ts';

/**
 * The visitor's own session from a share: its base, then the session's changes. It may be prepared before the
 * visitor continues: an invisible session gets an empty computer with the base's files; no program is started
 * on them before {@link finish}.
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
	 * @param fetchBase where the base's archive may be on its way already
	 * @param maxBytes of files that are unpacked; what an import takes when absent
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
	 * Rejects as the import does, and where it was left; then it is nowhere.
	 *
	 * @param options `from`: id of the checkpoint that the visitor starts at; the end by default
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
		// A run that was going on at the chosen moment was left by the visitor, not cut off by a closed page.
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
					// The contents are known then, which takes as long as writing them.
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
