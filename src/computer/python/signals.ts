import type { PyodideInterface } from 'pyodide';
import type { ProcessContext } from '#computer/process/program.ts';

const SIGINT = 2;

/**
 * Ctrl-C becomes KeyboardInterrupt: the interpreter looks at what it takes for a buffer every few thousand
 * instructions, and finds the signal that waits in the process's shared memory. It never yields, so no
 * message would reach it; hence each signal counts once, however long its message stays unread.
 */
export function connectSignals(python: PyodideInterface, context: ProcessContext): void {
	context.sync.catchSignal('SIGINT', true, true);
	let delivered = 0;
	const buffer = {
		get 0() {
			const pending = context.pendingSignals();
			if (pending <= delivered) return 0;
			delivered = pending;
			return SIGINT;
		},
		set 0(_handled: number) {
			// The interpreter clears it; counted signals are already delivered.
		}
	};
	python.setInterruptBuffer(buffer as unknown as Uint8Array);
}
