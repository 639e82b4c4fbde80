import { C_ESCAPES } from './c-escapes.ts';

/** Words that every shell takes as they are; `#` and `~` only where they do not come first. */
const PLAIN = /^(?![#~])[\w%+,\-./:=@#~\]{}]+$|^[^\0-\x7f]+$/;

/**
 * Quotes a word as GNU's commands show it (gnulib's quoting style `shell-escape`): only where that is needed, by
 * single quotes, by double ones where it has single ones, and `$'…'` for what is not printed.
 */
export function shellEscaped(word: string): string {
	if (PLAIN.test(word)) return word;
	const hasControls = /[\0-\x1f\x7f]/.test(word);
	if (word.includes("'") && !hasControls && !/["$`\\!]/.test(word)) return `"${word}"`;
	const quoted = word.replaceAll("'", "'\\''").replace(/[\0-\x1f\x7f]+/g, (controls) => `'$'${escaped(controls)}''`);
	// Nothing is left to quote behind a last `$'…'`.
	return quoted.endsWith("''") && /[\0-\x1f\x7f]$/.test(word) ? `'${quoted.slice(0, -1)}` : `'${quoted}'`;
}

/** The same with quotes around every word, as messages show file names. */
export function shellEscapedAlways(word: string): string {
	const shown = shellEscaped(word);
	return shown === word ? `'${word}'` : shown;
}

const NAMES: Record<string, string> = Object.fromEntries(
	Object.entries(C_ESCAPES).map(([letter, control]) => [control, `\\${letter}`])
);

const escaped = (controls: string): string =>
	[...controls].map((one) => NAMES[one] ?? `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');
