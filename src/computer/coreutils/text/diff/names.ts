import { shellEscaped } from '../../shell-escape.ts';
import { quoted } from '../../quoting.ts';

/** Formats a file's name for programs: in C quotes if it has a blank, a quote or a control character. */
export function shownName(name: string): string {
	const needsQuotes = /[\s"\\\0-\x1f]/.test(name);
	return needsQuotes ? quoted(name, 'c') : name;
}

/** Options of a call, as printed above each pair of files of two directories. */
export function shownOptions(args: readonly string[], operands: readonly string[]): string {
	const left = [...operands];
	const shown: string[] = [];
	for (const arg of args) {
		if (arg === '--') break;
		const at = left.indexOf(arg);
		if (at < 0) shown.push(shellEscaped(arg));
		else left.splice(at, 1);
	}
	return shown.map((arg) => ` ${arg}`).join('');
}
