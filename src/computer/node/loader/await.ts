import { HOISTED, READY } from './transform.ts';
import type { FunctionKind } from './evaluate.ts';

/** Places where `await` may be a function's name outside of async functions: `await (x)`. */
const AMBIGUOUS = /(?<![.\w$])(?<!\bfor\s+)await(?=\s*[([+\-`/])/g;

/** The browser's own: the one that programs get parses its text for imports. */
const NativeFunction = Function;

/**
 * Returns the kind of a module's body: an async function if it awaits at top level, else a generator that runs
 * synchronously.
 */
export function bodyKind(code: string): FunctionKind {
	if (!/\bawait\b/.test(code)) return 'function*';
	const text = `(function* () { "use strict"; ${code.replace(AMBIGUOUS, 'await void')}\n})`;
	try {
		// Compiled only: nothing of it runs.
		new NativeFunction(text);
		return 'function*';
	} catch {
		return 'async function';
	}
}

/**
 * The body with the place marked where it stops until its dependencies have run.
 * @param early whether a body that awaits begins before they have, too
 */
export function markHoisted(code: string, kind: FunctionKind, early: boolean): string {
	if (kind === 'function*') return code.replace(HOISTED, () => 'yield;');
	return early ? code.replace(HOISTED, () => `await ${READY};`) : code;
}
