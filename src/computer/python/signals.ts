import type { PyodideInterface } from 'pyodide';
import type { ProcessContext } from '#computer/process/program.ts';

const SIGINT = 2;

/** Delivers Ctrl-C to the main thread of the program. */
export interface Interrupts {
	/** Returns true once for a signal that the interpreter has not seen yet. */
	take(): boolean;
	/** Records whether the main thread runs: only there the interpreter handles signals. */
	mainRuns(isRunning: boolean): void;
}

/**
 * Turns Ctrl-C into KeyboardInterrupt: every few thousand instructions the interpreter checks what it takes for a
 * buffer, and finds the signal pending in the process's shared memory. As long as it does not yield, it receives no
 * message; hence each signal counts once, however long its message remains unread.
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
			// The interpreter clears the buffer; counted signals are already delivered.
		}
	};
	python.setInterruptBuffer(buffer as unknown as Uint8Array);
	return { take, mainRuns: (isRunning) => void (isMain = isRunning) };
}
