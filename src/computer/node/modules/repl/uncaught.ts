import { syntax } from './syntax/load.ts';

const IMPORT_OUTSIDE = 'Cannot use import statement outside a module';

/** Frame of a statement, or of a function without a name that the event loop calls. */
const OUTERMOST = /^ +at (?:(?:async )?REPL\d+:\d+:\d+|[\w.]+\.<anonymous> \(REPL\d+:\d+:\d+\))$/;

/** Replaces the stack of an error, unless it is frozen. */
export function setStack(error: Error, stack: string): void {
	Reflect.defineProperty(error, 'stack', { value: stack, writable: true, configurable: true });
}

/** Puts the place of a syntax error, with carets below it, before its message. */
export function showPlace(error: SyntaxError, code: string): void {
	const place = syntax().excerpt(code, error.message);
	setStack(error, `${place ?? ''}SyntaxError: ${error.message}\n`);
}

/**
 * Leaves out of an error's stack the statement itself and all that called it.
 * @param isStrict whether the statement follows a line with the directive
 * @param line last typed line
 */
export function trimStack(error: Error, isStrict: boolean, line: string): void {
	const { stack } = error;
	if (typeof stack !== 'string' || stack === '') return;
	if (error.name === 'SyntaxError') {
		let text = stack.replace(/^\s+at\s.*\n?/gm, '');
		if (error.message.includes(IMPORT_OUTSIDE)) {
			const instead = syntax().dynamicImport(line);
			error.message = `Cannot use import statement inside the Node.js REPL, alternatively use dynamic import: ${instead}`;
			text = text.replace(/SyntaxError:.*\n/, () => `SyntaxError: ${error.message}\n`);
		}
		return setStack(error, text);
	}
	const lines = stack.split('\n');
	const own = lines.findLastIndex((one) => OUTERMOST.test(one));
	// A function in a scope is called on that scope, which is a proxy.
	const kept = (own < 0 ? lines : lines.slice(0, own))
		.join('\n')
		.replace(/( at (?:async )?)Proxy\.(?=\S+ \(REPL\d)/g, '$1');
	setStack(
		error,
		isStrict ? kept.replace(/(\s+at\s+REPL\d+:)(\d+)/, (_, place, at) => `${place}${Number(at) - 1}`) : kept
	);
}

/**
 * Describes an uncaught error in the words of the prompt.
 * @param shown the error as the writer shows it
 * @param breakLength longest first line behind `Uncaught `
 */
export function uncaughtText(shown: string, breakLength: number): string {
	const lines = shown.split(/(?<=\n)/);
	const first = lines.findIndex((line) => /^\[?([A-Z][a-z0-9_]*)*Error/.test(line));
	const found = lines[first];
	if (found !== undefined) lines[first] = breakLength >= found.length ? `Uncaught ${found}` : `Uncaught:\n${found}`;
	else lines.unshift(lines.length === 1 ? 'Uncaught ' : 'Uncaught:\n');
	const text = lines.join('');
	return text.endsWith('\n') ? text : `${text}\n`;
}

/** Removes the brackets around an error without a stack. */
export const withoutBrackets = (shown: string): string =>
	shown.startsWith('[') && shown.endsWith(']') ? shown.slice(1, -1) : shown;
