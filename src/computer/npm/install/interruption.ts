import type { ProcessContext } from '#computer/process/program.ts';

/** Thrown when Ctrl-C is pressed while packages are fetched. */
export class Interrupted extends Error {
	override readonly name = 'Interrupted';
}

/** @returns a function that throws {@link Interrupted} once the user has pressed Ctrl-C */
export function watchInterruption(context: ProcessContext): () => void {
	let pressed = false;
	context.sync.catchSignal('SIGINT', true);
	context.sync.catchSignal('SIGTERM', true);
	context.onSignal(() => void (pressed = true));
	return () => {
		if (pressed || context.interrupted()) throw new Interrupted();
	};
}
