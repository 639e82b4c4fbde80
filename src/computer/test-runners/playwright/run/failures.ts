import { PROJECT_FRAME } from '../browser/api-call.ts';
import type { ResultError } from './results.ts';

/** Describes a thrown value, with its first place in the project. */
export function resultError(thrown: unknown, root: string): ResultError {
	if (!(thrown instanceof Error)) return { message: `Error: ${JSON.stringify(thrown) ?? String(thrown)}`, place: null };
	const { name, message, stack = '' } = thrown;
	for (const line of stack.split('\n')) {
		if (!/^\s*at /.test(line)) continue;
		const [, file, row, column] = PROJECT_FRAME.exec(line.trim()) ?? [];
		const path = file?.replace(/^file:\/\//, '');
		if (path?.startsWith(`${root}/`) && !path.includes('/node_modules/'))
			return { message: messageOf(name, message), place: { file: path, line: Number(row), column: Number(column) } };
	}
	return { message: messageOf(name, message), place: placeOfSyntax(thrown) };
}

const messageOf = (name: string, message: string): string => (name === 'Bare' ? message : `${name}: ${message}`);

function placeOfSyntax(error: Error): ResultError['place'] {
	const { file, line, column } = error as { file?: unknown; line?: unknown; column?: unknown };
	return typeof file === 'string' ? { file, line: Number(line ?? 0), column: Number(column ?? 0) } : null;
}

/** Creates an error that is reported without a name, as for errors of Playwright's runner. */
export function bare(message: string): Error {
	return Object.assign(new Error(message), { name: 'Bare', stack: '' });
}
