import { inspect } from 'node-inspect-extracted';
import { nativeHint } from './native-hint.ts';
import { NODE_VERSION } from '#computer/abi/versions.ts';
import { positionOf } from './stack.ts';

interface Located {
	file?: string;
	line?: number;
	column?: number;
}

/**
 * Formats an uncaught error like Node: its source line, a caret, the stack.
 * @param read returns the text of one of the program's files, or null
 */
export function describeUncaught(error: unknown, read: (file: string) => string | null): string {
	const source = sourceLine(error, read);
	const prefix = source !== '' ? `${source}\n` : 'node:internal/process\n\n';
	const body =
		error instanceof Error
			? withMessage(error, inspect(error))
			: `Uncaught:\n${typeof error === 'string' ? `'${error}'` : inspect(error)}\n(Use \`throw new Error(…)\` to see where a value was thrown)`;
	return `${prefix}${body}\n\nNode.js ${NODE_VERSION}\n${nativeHint(error)}`;
}

/**
 * Returns the place of an error in the program, its line and a caret; empty if it is not known.
 * @param read returns the text of one of the program's files, or null
 */
export function sourceLine(error: unknown, read: (file: string) => string | null): string {
	const place = locate(error);
	return place ? excerpt(place, read) : '';
}

/** Stacks of Firefox and WebKit only contain frames. */
function withMessage(error: Error, text: string): string {
	return text.includes(error.message) ? text : `${Error.prototype.toString.call(error)}\n${text}`;
}

function locate(error: unknown): Located | undefined {
	if (error instanceof SyntaxError && 'file' in error) {
		const { file, line, column } = error as Located;
		for (const name of ['file', 'line', 'column']) Reflect.deleteProperty(error, name);
		return { file, line, column };
	}
	return positionOf(error);
}

function excerpt({ file, line, column }: Located, read: (file: string) => string | null): string {
	if (!file) return '';
	const path = file.startsWith('file://') ? decodeURIComponent(file.slice(7)) : file;
	const text = line ? read(path)?.split('\n')[line - 1] : undefined;
	if (text === undefined) return `${file}${line ? `:${line}` : ''}\n`;
	const thrown = text.indexOf('throw ');
	const at = thrown >= 0 && thrown < (column ?? 1) ? thrown : (column ?? 1) - 1;
	const pad = text.slice(0, at).replace(/[^\t]/g, ' ');
	return `${file}:${line}\n${text}\n${pad}^\n`;
}
