import { rememberSource } from '../runtime/stack.ts';

type Callback = (...args: unknown[]) => unknown;

export type FunctionKind = 'function' | 'function*' | 'async function';

/**
 * Compiles a file as a function with the given parameters, under its own name in stack traces and with its own
 * line numbers. Throws V8's SyntaxError.
 * @param firstLineLength length of the original first line, if `code` has a prefix
 */
export function compileFunction(
	code: string,
	name: string,
	parameters: string[],
	kind: FunctionKind,
	firstLineLength = code.search(/\n|$/)
): Callback {
	const text = `(${kind} (${parameters.join(', ')}) { ${code}\n})`;
	const compiled: unknown = evaluate(text, name, text.indexOf('\n') - firstLineLength);
	if (typeof compiled !== 'function') throw new SyntaxError('Unexpected end of input');
	return compiled as Callback;
}

/** Runs text as a script in the global scope and returns its completion value. */
export function evaluate(code: string, name: string, firstLineShift = 0): unknown {
	return (0, eval)(withSourceUrl(code, name, firstLineShift));
}

/** Adds a comment so that text appears under its own name in stack traces. */
export function withSourceUrl(code: string, name: string, firstLineShift: number): string {
	const url = name.replace(/\s/g, encodeURIComponent);
	rememberSource(url, firstLineShift);
	return `${code}\n//# sourceURL=${url}`;
}
