import { PROCESSES } from '#computer/abi/limits.ts';
import { Interrupted } from './control.ts';

const TELL_MS = 500;

/**
 * The subshells of one shell process that live now: `(…)`, `$(…)`, stages of pipelines, jobs. They are
 * parts of it and no processes of the kernel, so a fork bomb would meet no limit but the browser's memory.
 */
export class Forks {
	#alive = 0;
	#toldMs = -Infinity;
	#waiting = new Set<() => void>();
	/** True if a subshell was refused since none was last alive: those alive may be a fork bomb. */
	#refused = false;
	/** How often a bomb has been ended; subshells from before the last time make no more. */
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

	/** Whether it is time to say that there is no room: a bomb would say so hundreds of times a second. */
	mayTell(): boolean {
		const now = performance.now();
		if (now - this.#toldMs < TELL_MS) return false;
		this.#toldMs = now;
		return true;
	}

	/** Resolves after `ms`, when a refused fork may be tried again. @throws Interrupted when `giveUp` comes first */
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

	/** What a subshell of the shell that a person types to has to remember for {@link mayFork}. */
	get generation(): number {
		return this.#ends;
	}

	/** False for what is left of a bomb that was ended: the few of it that did not wait would grow to another. */
	mayFork(generation: number): boolean {
		return generation === this.#ends;
	}

	/**
	 * Ends a fork bomb: all that waits for a place, and, once a place was refused, what those make that do not wait.
	 * How many live or wait at this moment does not tell: a bomb that met the limit thins out before it grows again.
	 */
	giveUp(): void {
		if (this.#refused) this.#ends++;
		for (const end of [...this.#waiting]) end();
	}
}
