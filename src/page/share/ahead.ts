import type { SessionStore, ShareBundle } from '#session/contract.ts';
import type { ModelChoice, Parts } from '../parts.ts';
import type { Opened, OpenOptions } from '../project/open.ts';
import { BaseAhead } from './base-ahead.ts';
import { ShareContinuation } from './continuation.ts';

/** Size limit for unpacking in advance. */
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * Prepares a visitor's session while the replay is shown, before anything runs: fetches the base and loads it into an
 * empty computer.
 */
export class ShareAhead {
	readonly #base: BaseAhead;
	readonly #started: Promise<ShareContinuation | null>;
	#isLeft = false;

	constructor(
		bundle: ShareBundle,
		base: NonNullable<ShareBundle['base']>,
		parts: Parts,
		needs: { store: Promise<SessionStore>; choice: Promise<ModelChoice> }
	) {
		this.#base = new BaseAhead(base, location.origin);
		this.#started = Promise.all([needs.store, needs.choice]).then(([store, choice]) =>
			this.#isLeft ? null : new ShareContinuation(bundle, choice, { parts, store }, this.fetch, MAX_BYTES)
		);
		// Not awaited: continuing requests both again.
		this.#started.catch(() => {});
	}

	/** Uses the prefetched base; see {@link BaseAhead.fetch}. */
	get fetch(): typeof fetch {
		return this.#base.fetch;
	}

	/** Prepared session for the visitor; `null` if it was abandoned. */
	started(): Promise<ShareContinuation | null> {
		return this.#started;
	}

	/** Discards the prepared work after the visitor left. */
	leave(): void {
		this.#isLeft = true;
		this.#base.leave();
		this.#started.then(
			(started) => started?.leave(),
			() => {}
		);
	}
}

/** Continues a share; does what was impossible, or too large, to do in advance. */
export async function continueShare(
	bundle: ShareBundle,
	choice: ModelChoice,
	options: OpenOptions & { from?: string | null },
	ahead: ShareAhead | null
): Promise<Opened> {
	const fetchBase: typeof fetch = ahead?.fetch ?? ((...request) => fetch(...request));
	const started = await ahead?.started();
	if (started) {
		try {
			return await started.finish(options);
		} catch (error) {
			options.signal?.throwIfAborted();
			console.warn('What was started ahead came to nothing.', error);
		}
	}
	return new ShareContinuation(bundle, choice, options, fetchBase).finish(options);
}
