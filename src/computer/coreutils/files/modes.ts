import { isCharacterDevice } from '#computer/abi/special-files.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';

/** First letter of a mode string. */
export const KIND_LETTERS = { file: '-', directory: 'd', symlink: 'l', fifo: 'p', socket: 's' };

/** Set-user-id, set-group-id and sticky: their bits, positions and letters. */
const SPECIAL = [
	[0o4000, 2, 's'],
	[0o2000, 5, 's'],
	[0o1000, 8, 't']
] as const;

/** `drwxr-xr-x`. */
export function modeText({ kind, mode }: Pick<WireStat, 'kind' | 'mode'>): string {
	const letters = [...'rwxrwxrwx'].map((letter, index) => (mode & (0o400 >> index) ? letter : '-'));
	for (const [bit, at, letter] of SPECIAL) {
		if (mode & bit) letters[at] = letters[at] === 'x' ? letter : letter.toUpperCase();
	}
	return (isCharacterDevice({ mode }) ? 'c' : KIND_LETTERS[kind]) + letters.join('');
}

const [READ, WRITE, EXECUTE] = [0o444, 0o222, 0o111];
/** Bits affected by each letter before the operator. */
const AFFECTED: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 };
const COPIED: Readonly<Record<string, number>> = { u: 0o700, g: 0o070, o: 0o007 };

interface Step {
	operator: string;
	/** Bits selected by the letters before the operator; 0 for none. */
	affected: number;
	/** Letters after the operator, or octal digits. */
	what: string;
}

/** Parses `u+x,go-w`, `a=,u=rw-x`, `+4755` into steps; null if invalid. */
function stepsOf(text: string): Step[] | null {
	const steps: Step[] = [];
	for (const clause of text.split(',')) {
		const [, who = '', changes] = /^([ugoa]*)((?:[-+=](?:[0-7]+|[ugo]|[rwxXst]*))+)$/.exec(clause) ?? [];
		if (changes === undefined) return null;
		const affected = [...who].reduce((bits, letter) => bits | (AFFECTED[letter] ?? 0), 0);
		const found = [...changes.matchAll(/([-+=])([^-+=]*)/g)];
		for (const [index, [, operator = '', what = '']] of found.entries()) {
			const isOctal = /^\d/.test(what);
			if (isOctal && (who !== '' || index < found.length - 1 || parseInt(what, 8) > 0o7777)) return null;
			steps.push({ operator, affected, what });
		}
	}
	return steps;
}

/**
 * Applies `755`, `u+x,go-w` or `g=u` to a mode, like GNU's `mode_adjust`: a directory keeps its set-id bits unless they
 * are named or the number has five digits.
 *
 * @param umask bits that are not affected by letters without `u`, `g`, `o` or `a`
 * @returns null if the text is invalid
 */
export function changedMode(mode: number, text: string, directory: boolean, umask = 0): number | null {
	const setIds = directory ? 0o6000 : 0;
	if (/^[0-7]+$/.test(text)) {
		const value = parseInt(text, 8);
		return value > 0o7777 ? null : text.length > 4 ? value : value | (mode & setIds);
	}
	const steps = stepsOf(text);
	if (!steps) return null;
	let result = mode & 0o7777;
	for (const step of steps) {
		const { operator, affected, what } = step;
		const isOctal = /^\d/.test(what);
		const named = isOctal ? parseInt(what, 8) : bitsOf(what, result, directory);
		const mentioned = isOctal ? 0o7777 : affected ? affected & named : named;
		const kept = setIds & ~(/^[ugo]$/.test(what) ? 0 : mentioned);
		const value = named & (isOctal ? 0o7777 : affected || ~umask) & ~kept;
		if (operator === '+') result |= value;
		else if (operator === '-') result &= ~value;
		else result = (result & ((isOctal || !affected ? 0 : ~affected) | kept)) | value;
	}
	return result;
}

function bitsOf(what: string, mode: number, directory: boolean): number {
	const copied = COPIED[what];
	if (copied !== undefined) {
		const from = mode & copied;
		return [READ, WRITE, EXECUTE].reduce((bits, all) => bits | (from & all ? all : 0), 0);
	}
	const isRunnable = directory || (mode & EXECUTE) !== 0;
	const bits: Record<string, number> = {
		...{ r: READ, w: WRITE, x: EXECUTE, X: isRunnable ? EXECUTE : 0 },
		...{ s: 0o6000, t: 0o1000 }
	};
	return [...what].reduce((sum, letter) => sum | (bits[letter] ?? 0), 0);
}
