import { fatal } from '../errors.ts';
import { perlRegex } from './perl-regex.ts';

export type RegexSyntax = 'basic' | 'extended' | 'perl' | 'fixed';

const CLASSES: Record<string, string> = {
	alpha: 'A-Za-z',
	digit: '0-9',
	alnum: 'A-Za-z0-9',
	upper: 'A-Z',
	lower: 'a-z',
	space: '\\s',
	blank: ' \\t',
	xdigit: '0-9A-Fa-f',
	word: '\\w',
	punct: '!-\\/:-@\\[-`{-~'
};

/**
 * Converts a grep pattern to a RegExp for multi-line text.
 * @throws GitError for an invalid pattern
 */
export function lineRegex(pattern: string, syntax: RegexSyntax, ignoreCase: boolean, wholeWord = false): RegExp {
	const source =
		syntax === 'fixed'
			? pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
			: syntax === 'perl'
				? pattern
				: translate(pattern, syntax === 'extended');
	const whole = wholeWord ? `(?<!\\w)(?:${source})(?!\\w)` : source;
	const flags = ignoreCase ? 'mi' : 'm';
	try {
		return syntax === 'perl' ? perlRegex(whole, flags) : new RegExp(whole, flags);
	} catch {
		throw fatal(`'${pattern}' is not a pattern that can be searched for`);
	}
}

/** Converts POSIX syntax: `\(`, `\|`, `\+` in basic expressions mean the same as unescaped in extended ones. */
function translate(pattern: string, extended: boolean): string {
	let source = '';
	for (let i = 0; i < pattern.length; i++) {
		const letter = pattern[i]!;
		if (letter === '[') {
			let end = i + 1;
			if (pattern[end] === '^') end++;
			if (pattern[end] === ']') end++;
			while (end < pattern.length && pattern[end] !== ']') {
				end = pattern.startsWith('[:', end) ? pattern.indexOf(':]', end) + 2 || pattern.length : end + 1;
			}
			if (end >= pattern.length) throw fatal(`command line, '${pattern}': Unmatched [, [^, [:, [., or [=`);
			const inside = pattern
				.slice(i + 1, end)
				.replace(/\\/g, '\\\\')
				.replace(/\[:(\w+):\]/g, (_, name: string) => CLASSES[name] ?? '')
				.replace(/^(\^?)\]/, '$1\\]')
				.replace(/\[/g, '\\[');
			source += `[${inside}]`;
			i = end;
		} else if (letter === '\\') {
			const next = pattern[++i] ?? '\\';
			if ('(){}|+?'.includes(next)) source += extended ? `\\${next}` : next;
			else if (next === '<') source += '\\b(?=\\w)';
			else if (next === '>') source += '\\b(?<=\\w)';
			else if (/[bBwWsS1-9]/.test(next)) source += `\\${next}`;
			else source += next.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
		} else if (!extended && '(){}|+?'.includes(letter)) source += `\\${letter}`;
		else if (letter === '*' && (source === '' || source.endsWith('(') || source.endsWith('|'))) source += '\\*';
		else source += letter;
	}
	return source;
}
