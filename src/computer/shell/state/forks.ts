import { PROCESSES } from '#computer/abi/limits.ts';
import { Interrupted } from './control.ts';

const REPORT_INTERVAL_MS = 500;

/**
 * Live subshells of one shell process: `(…)`, `$(…)`, stages of pipelines, jobs. They are parts of it and not processes
 * of the kernel, so a fork bomb would only be limited by the browser's memory.
 */
export class Forks {
	#alive = 0;
	#reportedMs = -Infinity;
	#waiting = new Set<() => void>();
	/** True if a subshell was refused since none was last alive: those alive may be a fork bomb. */
	#refused = false;
	/** Number of bombs that were ended; older subshells create no more subshells. */
	#ends = 0;

	began(): void {
		this.#alive++;
	}

	ended(): void {
		this.#alive--;
		if (this.#alive === 0) this.#refused = false;
	}

	isEmpty(): boolean {
		return this.#alive === 0;
	}

	hasRoom(count: number): boolean {
		return this.#alive + count <= PROCESSES;
	}

	/** Limits messages about exhaustion: a bomb would print hundreds per second. */
	mayTell(): boolean {
		const now = performance.now();
		if (now - this.#reportedMs < REPORT_INTERVAL_MS) return false;
		this.#reportedMs = now;
		return true;
	}

	/** Resolves after `ms`, when a refused fork may be retried. @throws Interrupted if `giveUp` is called before */
	pause(ms: number): Promise<void> {
		this.#refused = true;
		return new Promise((resolve, reject) => {
			const settle = (end: () => void) => () => {
				clearTimeout(timer);
				this.#waiting.delete(giveUp);
				end();
			};
			const giveUp = settle(() => reject(new Interrupted(130)));
			const timer = setTimeout(settle(resolve), ms);
			this.#waiting.add(giveUp);
		});
	}

	/** Value for subshells of the interactive shell, checked by {@link mayFork}. */
	get generation(): number {
		return this.#ends;
	}

	/**
	 * Returns false for the rest of a bomb that was ended: those of its subshells that were not waiting could grow to
	 * another one.
	 */
	mayFork(generation: number): boolean {
		return generation === this.#ends;
	}

	/**
	 * Ends a fork bomb: every subshell that waits to be created and, once one was refused, all others. The current
	 * number does not show a bomb: one that met the limit shrinks before it grows again.
	 */
	giveUp(): void {
		if (this.#refused) this.#ends++;
		for (const end of [...this.#waiting]) end();
	}
}
