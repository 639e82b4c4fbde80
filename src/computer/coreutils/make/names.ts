/** The words of a text: what blanks separate. */
export const words = (text: string): string[] => text.split(/[ \t\n]+/).filter(Boolean);

/** Part of the name that `%` matches; null if the pattern does not match. */
export function stemOf(pattern: string, name: string): string | null {
	const at = pattern.indexOf('%');
	if (at < 0) return pattern === name ? '' : null;
	const [start, end] = [pattern.slice(0, at), pattern.slice(at + 1)];
	const fits = name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
	return fits ? name.slice(start.length, name.length - end.length) : null;
}

/** A pattern with its `%` filled in. */
export const withStem = (pattern: string, stem: string): string => pattern.replace('%', () => stem);

/** `$(patsubst from,to,name)`. */
export function replacePattern(from: string, to: string, name: string): string {
	const stem = stemOf(from, name);
	if (stem === null) return name;
	return from.includes('%') ? withStem(to, stem) : to;
}

/** A name with its directory, as `$(dir)` and `$(@D)` part them: the slash belongs to the directory. */
export function parted(name: string): [directory: string, file: string] {
	const at = name.lastIndexOf('/');
	return at < 0 ? ['./', name] : [name.slice(0, at + 1), name.slice(at + 1)];
}

/** Start of a name's suffix; the name's length without one. */
export function suffixAt(name: string): number {
	const at = name.lastIndexOf('.');
	return at > name.lastIndexOf('/') ? at : name.length;
}

/** The end of the bracketed text that begins at `at`; -1 where it has none. */
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

/** Parts a text at a separator, where no `$(…)` or brackets are open. `limit`: the last part takes the rest. */
export function splitOutside(text: string, separator: string, limit = Infinity): string[] {
	const parts: string[] = [];
	let depth = 0;
	let start = 0;
	for (let index = 0; index < text.length; index++) {
		const letter = text[index] ?? '';
		if ('({'.includes(letter)) depth++;
		else if (')}'.includes(letter)) depth--;
		else if (letter === separator && depth <= 0 && parts.length + 1 < limit) {
			parts.push(text.slice(start, index));
			start = index + 1;
		}
	}
	return [...parts, text.slice(start)];
}
