import { C_ESCAPES } from './c-escapes.ts';

/** Words that need no quotes in a shell; `#` and `~` only if they are not the first character. */
const PLAIN = /^(?![#~])[\w%+,\-./:=@#~\]{}]+$|^[^\0-\x7f]+$/;

/**
 * Quotes a word as GNU's commands show it (gnulib's style `shell-escape`): only if needed, with single quotes, with
 * double quotes if it contains single ones, and `$'…'` for control characters.
 */
export function shellEscaped(word: string): string {
	if (PLAIN.test(word)) return word;
	const hasControls = /[\0-\x1f\x7f]/.test(word);
	if (word.includes("'") && !hasControls && !/["$`\\!]/.test(word)) return `"${word}"`;
	const quoted = word.replaceAll("'", "'\\''").replace(/[\0-\x1f\x7f]+/g, (controls) => `'$'${escaped(controls)}''`);
	// Omits the empty quotes after a final `$'…'`.
	return quoted.endsWith("''") && /[\0-\x1f\x7f]$/.test(word) ? `'${quoted.slice(0, -1)}` : `'${quoted}'`;
}

/** Same with quotes around every word, for file names in messages. */
export function shellEscapedAlways(word: string): string {
	const shown = shellEscaped(word);
	return shown === word ? `'${word}'` : shown;
}

const NAMES: Record<string, string> = Object.fromEntries(
	Object.entries(C_ESCAPES).map(([letter, control]) => [control, `\\${letter}`])
);

const escaped = (controls: string): string =>
	[...controls].map((one) => NAMES[one] ?? `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');
