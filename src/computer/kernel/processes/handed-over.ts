import { errno } from '#computer/abi/errno.ts';
import type { Description } from '../streams/description.ts';

/** Number of descriptors on their way to one process before further ones are refused. */
const MAX_IN_FLIGHT = 1024;

/**
 * Descriptors that other processes have handed over to a process, which has not taken them yet. Each keeps its open
 * file alive; the end of the process releases them.
 */
export class HandedOver {
	#waiting = new Map<number, Description>();
	#last = 0;

	/** @returns number by which the process takes it. @throws EMFILE if too many are on their way */
	put(description: Description): number {
		if (this.#waiting.size >= MAX_IN_FLIGHT) throw errno('EMFILE', undefined, 'too many descriptors wait to be taken');
		this.#waiting.set(++this.#last, description.retain());
		return this.#last;
	}

	/** Passes what was handed over under a number to `open`, once. @throws EINVAL, and the errors of `open` */
	take<Result>(number: number, open: (description: Description) => Result): Result {
		const description = this.#waiting.get(number);
		if (!description) throw errno('EINVAL', undefined, `nothing was handed over as number ${number}`);
		const opened = open(description);
		this.#waiting.delete(number);
		description.release();
		return opened;
	}

	releaseAll(): void {
		for (const description of this.#waiting.values()) description.release();
		this.#waiting.clear();
	}
}
