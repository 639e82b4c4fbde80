import type { SessionStore, ShareBundle } from '#session/contract.ts';
import type { ModelChoice, Parts } from '../parts.ts';
import type { Opened, OpenOptions } from '../project/open.ts';
import { BaseAhead } from './base-ahead.ts';
import { ShareContinuation } from './continuation.ts';

/** What is unpacked for somebody who has not asked for it yet. */
const MAX_BYTES = 128 * 1024 * 1024;

/**
 * What can be done for a visitor while the replay is shown, before anything runs: the base is fetched, and put into an
 * empty computer.
 */
export class ShareAhead {
	readonly #base: BaseAhead;
	readonly #begun: Promise<ShareContinuation | null>;
	#isLeft = false;

	constructor(
		bundle: ShareBundle,
		base: NonNullable<ShareBundle['base']>,
		parts: Parts,
		needs: { store: Promise<SessionStore>; choice: Promise<ModelChoice> }
	) {
		this.#base = new BaseAhead(base, location.origin);
		this.#begun = Promise.all([needs.store, needs.choice]).then(([store, choice]) =>
			this.#isLeft ? null : new ShareContinuation(bundle, choice, { parts, store }, this.fetch, MAX_BYTES)
		);
		// Nobody waits for it: who goes on asks for both again.
		this.#begun.catch(() => {});
	}

	/** Knows of the base; see {@link BaseAhead.fetch}. */
	get fetch(): typeof fetch {
		return this.#base.fetch;
	}

	/** What the visitor goes on with; `null` where it was left. */
	begun(): Promise<ShareContinuation | null> {
		return this.#begun;
	}

	/** The visitor went elsewhere. */
	leave(): void {
		this.#isLeft = true;
		this.#base.leave();
		this.#begun.then(
			(begun) => begun?.leave(),
			() => {}
		);
	}
}

/** Goes on with a share; what could not be done ahead, or was too much for that, is done now. */
export async function continueShare(
	bundle: ShareBundle,
	choice: ModelChoice,
	options: OpenOptions,
	ahead: ShareAhead | null
): Promise<Opened> {
	const fetchBase: typeof fetch = ahead?.fetch ?? ((...request) => fetch(...request));
	const begun = await ahead?.begun();
	if (begun) {
		try {
			return await begun.finish(options);
		} catch (error) {
			options.signal?.throwIfAborted();
			console.warn('What was begun ahead came to nothing.', error);
		}
	}
	return new ShareContinuation(bundle, choice, options, fetchBase).finish(options);
}
