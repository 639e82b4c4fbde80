/** Web Locks between the tabs of one history, as far as a session uses them: `ifAvailable` and `steal`. */
export class Locks {
	readonly #held = new Map<string, (error: Error) => void>();

	/** Replaces `navigator.locks` in a tab. */
	request(name: string, options: LockOptions, callback: (lock: object | null) => unknown): Promise<unknown> {
		const holder = this.#held.get(name);
		// Sessions never make requests that wait for their turn, so these never resolve.
		if (holder && !options.steal) return options.ifAvailable ? Promise.resolve(callback(null)) : new Promise(() => {});
		return new Promise((resolve, reject) => {
			this.#held.set(name, reject);
			holder?.(new DOMException('The lock was stolen.', 'AbortError'));
			void Promise.resolve(callback({})).then((value) => {
				if (this.#held.get(name) === reject) this.#held.delete(name);
				resolve(value);
			});
		});
	}

	/** The tabs that held them are gone. */
	clear(): void {
		this.#held.clear();
	}
}
