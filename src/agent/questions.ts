/** Question that a run is suspended on. Several questions are asked one after another. */
export class PendingQuestion {
	#answer: ((text: string) => void) | null = null;
	#previous: Promise<unknown> = Promise.resolve();

	get asked(): boolean {
		return this.#answer !== null;
	}

	/**
	 * @param show called when it is this question's turn
	 * @param done called when it is answered or the run is stopped
	 * @throws the signal's reason
	 */
	ask(signal: AbortSignal, show: () => void, done: () => void): Promise<string> {
		const turn = this.#previous.then(() => this.#wait(signal, show, done));
		this.#previous = turn.catch(() => undefined);
		return turn;
	}

	answer(text: string): boolean {
		if (!this.#answer) return false;
		this.#answer(text);
		return true;
	}

	async #wait(signal: AbortSignal, show: () => void, done: () => void): Promise<string> {
		signal.throwIfAborted();
		show();
		let stop: (() => void) | undefined;
		try {
			return await new Promise<string>((resolve, reject) => {
				this.#answer = resolve;
				stop = () => reject(signal.reason);
				signal.addEventListener('abort', stop);
			});
		} finally {
			if (stop) signal.removeEventListener('abort', stop);
			this.#answer = null;
			done();
		}
	}
}
