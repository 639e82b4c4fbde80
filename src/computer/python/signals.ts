import type { PyodideInterface } from 'pyodide';
import type { ProcessContext } from '#computer/process/program.ts';

const SIGINT = 2;

/** Ctrl-C for the main thread of the program. */
export interface Interrupts {
	/** True once for a signal that the interpreter has not found yet. */
	take(): boolean;
	/** Notes whether it is the main thread that runs: only there the interpreter finds signals. */
	mainRuns(isRunning: boolean): void;
}

/**
 * Ctrl-C becomes KeyboardInterrupt: the interpreter looks at what it takes for a buffer every few thousand
 * instructions, and finds the signal that waits in the process's shared memory. As long as it does not yield, no
 * message reaches it; hence each signal counts once, however long its message stays unread.
 */
export function connectSignals(python: PyodideInterface, context: ProcessContext): Interrupts {
	context.sync.catchSignal('SIGINT', true, true);
	let [delivered, read, isMain] = [0, 0, true];
	context.onSignal((signal) => {
		if (signal === 'SIGINT') read++;
	});
	const take = (): boolean => {
		const arrived = context.pendingSignals() + read;
		if (arrived <= delivered) return false;
		delivered = arrived;
		return true;
	};
	const buffer = {
		get 0() {
			return isMain && take() ? SIGINT : 0;
		},
		set 0(_handled: number) {
			// The interpreter clears it; counted signals are already delivered.
		}
	};
	python.setInterruptBuffer(buffer as unknown as Uint8Array);
	return { take, mainRuns: (isRunning) => void (isMain = isRunning) };
}
