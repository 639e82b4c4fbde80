import { C_ESCAPES } from './c-escapes.ts';
import { shellEscaped } from './shell-escape.ts';
import { UsageError } from './options.ts';

/** Ways in which GNU's commands show names with special characters. */
export const QUOTING_STYLES = [
	...['literal', 'shell', 'shell-always', 'shell-escape', 'shell-escape-always'],
	...['c', 'c-maybe', 'escape', 'locale', 'clocale']
] as const;
export type QuotingStyle = (typeof QUOTING_STYLES)[number];

/** Parses a style name, which may be abbreviated. @throws UsageError naming the option */
export function readQuotingStyle(word: string, option: string): QuotingStyle {
	const matching = QUOTING_STYLES.filter((style) => style.startsWith(word));
	const exact = QUOTING_STYLES.find((style) => style === word) ?? (matching.length === 1 ? matching[0] : undefined);
	if (exact) return exact;
	const valid = QUOTING_STYLES.map((style) => `  - '${style}'`).join('\n');
	const fault = matching.length > 1 ? 'ambiguous' : 'invalid';
	throw new UsageError(`${fault} argument '${word}' for '${option}'\nValid arguments are:\n${valid}`, true);
}

/** Formats a name in a style of gnulib's `quotearg`; `special` characters are quoted too. */
export function quoted(name: string, style: QuotingStyle, special = ''): string {
	const hasSpecial = [...special].some((one) => name.includes(one));
	const shell = style === 'shell' || style === 'shell-always' ? shellQuoted(name) : shellEscaped(name);
	switch (style) {
		case 'literal':
			return name;
		case 'shell':
		case 'shell-escape':
			return shell === name && hasSpecial ? `'${name}'` : shell;
		case 'shell-always':
		case 'shell-escape-always':
			return shell === name ? `'${name}'` : shell;
		case 'escape':
			return escapedIn(name, ` ${special}`);
		case 'c-maybe':
			return /["\0-\x1f\x7f]/.test(name) || hasSpecial ? `"${escapedIn(name, '"')}"` : name;
		case 'c':
		case 'clocale':
			return `"${escapedIn(name, '"')}"`;
		case 'locale':
			return `'${escapedIn(name, "'")}'`;
	}
}

/** Quotes for a shell, without `$'…'`: control characters are unchanged. */
function shellQuoted(name: string): string {
	if (!/[\0-\x1f\x7f]/.test(name)) return shellEscaped(name);
	const needsQuotes =
		/[\n\t]/.test(name) || shellEscaped(name.replace(/[\0-\x1f\x7f]/g, 'a')) !== name.replace(/[\0-\x1f\x7f]/g, 'a');
	return needsQuotes ? `'${name.replaceAll("'", "'\\''")}'` : name;
}

const NAMES: Record<string, string> = Object.fromEntries(
	Object.entries(C_ESCAPES).map(([letter, control]) => [control, `\\${letter}`])
);

/** Formats the name with C escapes; a backslash is added before `others`. */
function escapedIn(name: string, others: string): string {
	return [...name]
		.map((one) => {
			if (one === '\\' || others.includes(one)) return `\\${one}`;
			if (!/[\0-\x1f\x7f]/.test(one)) return one;
			return NAMES[one] ?? `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`;
		})
		.join('');
}
