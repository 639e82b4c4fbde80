/** Splits a text into words separated by blanks. */
export const words = (text: string): string[] => text.split(/[ \t\n\v\f\r]+/).filter(Boolean);

/** Pattern split at `%`; `null`: text without a `%`. */
export interface Pattern {
	start: string;
	end: string | null;
}

/** Parses a pattern: the first `%` that is not escaped by a backslash; backslashes before it are halved. */
export function patternOf(text: string): Pattern {
	if (!text.includes('\\')) {
		const at = text.indexOf('%');
		return at < 0 ? { start: text, end: null } : { start: text.slice(0, at), end: text.slice(at + 1) };
	}
	let start = '';
	for (let at = 0; at < text.length; at++) {
		const [slashes = ''] = /^\\*/.exec(text.slice(at)) ?? [];
		if (slashes !== '' && text[at + slashes.length] === '%') {
			start += slashes.slice(0, slashes.length >> 1);
			at += slashes.length;
			if (slashes.length % 2 === 0) return { start, end: text.slice(at + 1) };
			start += '%';
		} else if (slashes !== '') {
			start += slashes;
			at += slashes.length - 1;
		} else if (text[at] === '%') return { start, end: text.slice(at + 1) };
		else start += text[at];
	}
	return { start, end: null };
}

/** Returns the part of a name that `%` matches; `null` if the pattern does not match. */
export function stemOf({ start, end }: Pattern, name: string): string | null {
	if (end === null) return name === start ? '' : null;
	const fits = name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
	return fits ? name.slice(start.length, name.length - end.length) : null;
}

/** Replaces the `%` of a pattern by a stem. */
export const withStem = ({ start, end }: Pattern, stem: string): string => (end === null ? start : start + stem + end);

/** `$(patsubst from,to,text)`. */
export function replacePattern(from: string, to: string, text: string): string {
	const [pattern, replacement] = [patternOf(from), patternOf(to)];
	return words(text)
		.map((word) => {
			const stem = stemOf(pattern, word);
			if (stem === null) return word;
			return pattern.end === null ? to : withStem(replacement, stem);
		})
		.join(' ');
}

/** Splits a name like `$(dir)` and `$(notdir)`: the slash belongs to the directory. */
export function parted(name: string): [directory: string, file: string] {
	const at = name.lastIndexOf('/');
	return at < 0 ? ['./', name] : [name.slice(0, at + 1), name.slice(at + 1)];
}

/** Index of a name's suffix; the name's length without one. */
export function suffixAt(name: string): number {
	const at = name.lastIndexOf('.');
	return at > name.lastIndexOf('/') ? at : name.length;
}

/** End of a reference whose bracket opens at `at`; -1 if there is none. Only brackets of the same kind nest. */
export function closing(text: string, at: number): number {
	const open = text[at] ?? '';
	const close = open === '(' ? ')' : '}';
	let depth = 0;
	for (let index = at; index < text.length; index++) {
		if (text[index] === open) depth++;
		else if (text[index] === close && --depth === 0) return index;
	}
	return -1;
}

/** Result of a search for an unescaped character. */
export interface Unquoted {
	/** Text before it, with the backslashes of escaped ones removed; the whole text if there is none. */
	before: string;
	/** The character itself, empty if none was found. */
	found: string;
	/** Text after it, unchanged. */
	after: string;
}

/** Searches for the first of several characters that is not escaped by a backslash, outside of `$(…)`. */
export function findUnquoted(text: string, stops: string, skipsReferences = true): Unquoted {
	let before = '';
	for (let at = 0; at < text.length; at++) {
		const letter = text[at] ?? '';
		if (letter === '$' && skipsReferences) {
			const next = text[at + 1] ?? '';
			const end = next === '(' || next === '{' ? closing(text, at + 1) : at + 1;
			const last = end < 0 ? text.length - 1 : end;
			before += text.slice(at, last + 1);
			at = last;
		} else if (letter === '\\') {
			const [slashes = ''] = /^\\+/.exec(text.slice(at)) ?? [];
			const next = text[at + slashes.length] ?? '';
			at += slashes.length - 1;
			if (next === '' || !stops.includes(next)) before += slashes;
			else {
				before += slashes.slice(0, slashes.length >> 1);
				if (slashes.length % 2 === 1) {
					before += next;
					at++;
				}
			}
		} else if (stops.includes(letter)) return { before, found: letter, after: text.slice(at + 1) };
		else before += letter;
	}
	return { before, found: '', after: '' };
}

/** File names in a list, without leading `./`; a backslash escapes a blank in a name. */
export function fileNames(text: string): string[] {
	const names: string[] = [];
	let rest = text.replace(/^\s+/, '');
	while (rest !== '') {
		const { before, after } = findUnquoted(rest, ' \t\n', false);
		if (before !== '') names.push(withoutDot(before));
		rest = after.replace(/^\s+/, '');
	}
	return names;
}

/** Removes leading `./` from a name. */
export const withoutDot = (name: string): string => {
	const bare = name.replace(/^(?:\.\/+)+/, '');
	return bare === '' ? './' : bare;
};
