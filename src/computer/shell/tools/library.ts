import source from './library-part.ts?part';

type Library = typeof import('./library-part.ts');

let compiled: (() => Library) | null = null;
let loaded: Library | null = null;

function compile(): () => Library {
	// Our own text, bundled with this very script.
	return (compiled ??= new Function(source) as () => Library);
}

/** just-bash's commands and the library for differences: evaluated when first used, about 0.1 s. */
export function library(): Library {
	return (loaded ??= compile()());
}

/**
 * Evaluates the library piece by piece in an idle shell, so that a command which arrives meanwhile need not
 * wait for all of it. `busy` returns true once it has arrived.
 */
export function prepareLibrary(busy: () => boolean): void {
	for (const [index, work] of [compile, library].entries()) {
		setTimeout(() => busy() || void work(), IDLE_MS * (index + 1));
	}
}

/** A command mostly follows another at once or much later; a start keeps each core busy for about as long. */
const IDLE_MS = 400;
