import { HOISTED, READY } from './transform.ts';
import type { FunctionKind } from './evaluate.ts';

/** Places where `await` may be a function's name outside of async functions: `await (x)`. */
const AMBIGUOUS = /(?<![.\w$])(?<!\bfor\s+)await(?=\s*[([+\-`/])/g;

/** The browser's own `Function`: the one for programs parses its text for imports. */
const NativeFunction = Function;

/**
 * Returns the kind of a module's body: an async function if it uses top-level await, otherwise a generator that runs
 * synchronously.
 */
export function bodyKind(code: string): FunctionKind {
	if (!/\bawait\b/.test(code)) return 'function*';
	const text = `(function* () { "use strict"; ${code.replace(AMBIGUOUS, 'await void')}\n})`;
	try {
		// Compiled only, never run.
		new NativeFunction(text);
		return 'function*';
	} catch {
		return 'async function';
	}
}

/**
 * Returns the body with the position marked at which it waits for its dependencies.
 * @param early whether a body with top-level await starts before its dependencies have run
 */
export function markHoisted(code: string, kind: FunctionKind, early: boolean): string {
	if (kind === 'function*') return code.replace(HOISTED, () => 'yield;');
	return early ? code.replace(HOISTED, () => `await ${READY};`) : code;
}
