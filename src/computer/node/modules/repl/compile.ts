import { evaluate } from '../../loader/evaluate.ts';

type Compile = (code: string) => unknown;

/** Declarations of the code are those of this function, so they leave no trace. */
const COMPILE = `(function (__sandglass_code) { return eval(__sandglass_code); })`;

/**
 * Compiles a script without running it.
 * @returns the engine's error if it is invalid
 */
export function compileError(code: string): SyntaxError | null {
	const directive = /^\s*(?:'use strict'|"use strict")/.test(code) ? `'use strict';` : '';
	const compile = evaluate(COMPILE, 'node:repl') as Compile;
	try {
		compile(`${directive}throw 0;${code}`);
	} catch (error) {
		return error instanceof SyntaxError ? error : null;
	}
	return null;
}
