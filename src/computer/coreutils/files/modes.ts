import type { WireStat } from '#computer/abi/syscalls.ts';

const KINDS = { file: '-', directory: 'd', symlink: 'l' };

/** Set-user-id, set-group-id and sticky: their bits, and where and as what they are shown. */
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
	return KINDS[kind] + letters.join('');
}

/** Bits that each letter before the operator may change. */
const MASKS: Record<string, number> = { u: 0o4700, g: 0o2070, o: 0o1007, a: 0o7777 };

/** `755`, `u+x,go-w` applied to a mode. Null when it makes no sense. */
export function changedMode(mode: number, text: string, directory: boolean): number | null {
	if (/^[0-7]{1,4}$/.test(text)) return parseInt(text, 8);
	let result = mode & 0o7777;
	for (const clause of text.split(',')) {
		const match = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(clause);
		if (!match) return null;
		const [, who = '', operator, what = ''] = match;
		let bits = 0;
		for (const letter of what) {
			if (letter === 'r') bits |= 0o444;
			if (letter === 'w') bits |= 0o222;
			if (letter === 'x' || (letter === 'X' && (directory || result & 0o111))) bits |= 0o111;
		}
		let mask = 0;
		for (const letter of who || 'a') mask |= MASKS[letter] ?? 0;
		if (what.includes('s')) bits |= 0o6000;
		if (what.includes('t')) bits |= 0o1000;
		bits &= mask;
		if (operator === '+') result |= bits;
		else if (operator === '-') result &= ~bits;
		else result = (result & ~mask) | bits;
	}
	return result;
}
