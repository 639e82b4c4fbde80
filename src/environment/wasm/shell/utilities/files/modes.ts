import type { WireStat } from '../../../process/syscalls.ts';

const KINDS = { file: '-', directory: 'd', symlink: 'l' };

/** `drwxr-xr-x`. */
export function modeText({ kind, mode }: Pick<WireStat, 'kind' | 'mode'>): string {
	const letters = 'rwxrwxrwx';
	return KINDS[kind] + [...letters].map((letter, index) => (mode & (0o400 >> index) ? letter : '-')).join('');
}

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
		for (const letter of who || 'a') mask |= { u: 0o700, g: 0o070, o: 0o007, a: 0o777 }[letter] ?? 0;
		bits &= mask;
		if (operator === '+') result |= bits;
		else if (operator === '-') result &= ~bits;
		else result = (result & ~mask) | bits;
	}
	return result;
}
