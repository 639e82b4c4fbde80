import { HOISTED } from './transform.ts';
import type { FunctionKind } from './evaluate.ts';

/** Where `await` may be read as a function's name outside of async functions: `await (x)`. */
const AMBIGUOUS = /(?<![.\w$])(?<!\bfor\s+)await(?=\s*[([+\-`/])/g;

/** Whether a module's body awaits at top level: then it is an async function, else a generator that runs in one go. */
export function bodyKind(code: string): FunctionKind {
	if (!/\bawait\b/.test(code)) return 'function*';
	const text = `(function* () { "use strict"; ${code.replace(AMBIGUOUS, 'await void')}\n})`;
	try {
		// Compiled only: nothing of it runs.
		new Function(text);
		return 'function*';
	} catch {
		return 'async function';
	}
}

/** The body with the place marked where a generator stops until its dependencies have run. */
export function markHoisted(code: string, kind: FunctionKind): string {
	return kind === 'function*' ? code.replace(HOISTED, () => 'yield;') : code;
}
