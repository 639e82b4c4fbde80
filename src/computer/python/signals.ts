import type { PyodideInterface } from 'pyodide';
import type { ProcessContext } from '#computer/process/program.ts';

const [SIGINT, SIGALRM] = [2, 14];

/** Delivers Ctrl-C and alarms to the main thread of the program. */
export interface Interrupts {
	/** Returns the number of a signal that the interpreter has not seen yet, once. 0 is none. */
	take(): number;
	alarm: Alarm;
	/** Records whether the main thread runs: only there the interpreter handles signals. */
	mainRuns(isRunning: boolean): void;
}

/** The real-time timer of `setitimer`. */
class Alarm {
	/** False if the program handles or ignores SIGALRM, which otherwise ends it. */
	ends = true;
	#due = Infinity;
	#intervalMs = 0;
	readonly #end: () => void;

	constructor(end: () => void) {
		this.#end = end;
	}

	/** @param firstMs 0 stops it */
	set(firstMs: number, intervalMs: number): void {
		this.#due = firstMs > 0 ? performance.now() + firstMs : Infinity;
		this.#intervalMs = intervalMs;
	}

	leftMs = (): number => this.#due - performance.now();
	intervalMs = (): number => this.#intervalMs;

	/** Returns true once each time it is due. */
	take(): boolean {
		if (this.#due === Infinity || this.leftMs() > 0) return false;
		this.set(this.#intervalMs, this.#intervalMs);
		if (this.ends) this.#end();
		return true;
	}
}

/**
 * Turns Ctrl-C into KeyboardInterrupt: every few thousand instructions the interpreter checks what it takes for a
 * buffer, and finds the signal pending in the process's shared memory. As long as it does not yield, it receives no
 * message; hence each signal counts once, however long its message remains unread.
 */
export function connectSignals(python: PyodideInterface, context: ProcessContext): Interrupts {
	const alarm = new Alarm(() => context.sync.kill(context.pid, 'SIGALRM'));
	context.sync.catchSignal('SIGINT', true, true);
	let [delivered, read, isMain] = [0, 0, true];
	context.onSignal((signal) => {
		if (signal === 'SIGINT') read++;
	});
	const take = (): number => {
		const arrived = context.pendingSignals() + read;
		if (arrived <= delivered) return alarm.take() ? SIGALRM : 0;
		delivered = arrived;
		return SIGINT;
	};
	const buffer = {
		get 0() {
			return isMain ? take() : 0;
		},
		set 0(_handled: number) {
			// The interpreter clears the buffer; counted signals are already delivered.
		}
	};
	python.setInterruptBuffer(buffer as unknown as Uint8Array);
	return { take, alarm, mainRuns: (isRunning) => void (isMain = isRunning) };
}
