/**
 * Converts a `.gitignore` pattern or a pathspec to a regular expression for a whole path.
 * @param slashes `*`, `?` and `[` also match slashes (pathspecs: yes, ignore files: no)
 * @param ignoresCase matches both cases of a letter
 */
export function wildmatch(pattern: string, slashes = false, ignoresCase = false): RegExp {
	const any = slashes ? '[\\s\\S]' : '[^/]';
	let source = '';
	for (let i = 0; i < pattern.length; i++) {
		const letter = pattern[i]!;
		if (letter === '*') {
			let end = i;
			while (pattern[end + 1] === '*') end++;
			const next = pattern[end + 1];
			const endsPart = next === undefined || next === '/' || pattern.startsWith('\\/', end + 1);
			const whole = !slashes && end > i && (i === 0 || pattern[i - 1] === '/') && endsPart;
			if (whole && next === '/') {
				source += '(?:[\\s\\S]*/)?';
				end++;
			} else source += whole ? '[\\s\\S]*' : `${any}*`;
			i = end;
		} else if (letter === '?') source += any;
		else if (letter === '[') {
			const set = characterSet(pattern, i);
			if (!set) return NEVER;
			source += `${slashes ? '' : '(?!/)'}${set.source}`;
			i = set.end;
		} else if (letter === '\\') {
			const escaped = pattern[++i];
			if (escaped === undefined) return NEVER;
			source += escape(escaped);
		} else source += escape(letter);
	}
	return new RegExp(`^${source}$`, ignoresCase ? 'i' : '');
}

/** Stands for a malformed pattern, which matches nothing. */
const NEVER = /(?!)/;

/** Named classes of characters, in ASCII only. */
const CLASSES: Readonly<Record<string, string>> = {
	alnum: 'A-Za-z0-9',
	alpha: 'A-Za-z',
	blank: ' \\t',
	cntrl: '\\x00-\\x1f\\x7f',
	digit: '0-9',
	graph: '!-~',
	lower: 'a-z',
	print: ' -~',
	punct: '!-\\/:-@\\[-`{-~',
	space: ' \\t\\r\\n',
	upper: 'A-Z',
	xdigit: '0-9A-Fa-f'
};

/** Converts the set that starts with the `[` at `start`; null if it is malformed. `end` is the place of its `]`. */
function characterSet(pattern: string, start: number): { source: string; end: number } | null {
	let at = start + 1;
	const isNegated = pattern[at] === '!' || pattern[at] === '^';
	if (isNegated) at++;
	let source = '';
	// A `]` right at the start is one of the characters.
	for (const first = at; at === first || pattern[at] !== ']';) {
		const named = namedClass(pattern, at);
		if (named === null) return null;
		if (named) {
			source += named.source;
			at = named.end + 1;
			continue;
		}
		const from = literal(pattern, at);
		if (!from) return null;
		at = from.end + 1;
		const hasRange = pattern[at] === '-' && pattern[at + 1] !== undefined && pattern[at + 1] !== ']';
		const to = hasRange ? literal(pattern, at + 1) : from;
		if (!to) return null;
		if (hasRange) at = to.end + 1;
		// A range that ends before its start contains nothing.
		if (from.letter <= to.letter) source += `${escape(from.letter)}-${escape(to.letter)}`;
	}
	return { source: `[${isNegated ? '^' : ''}${source}]`, end: at };
}

/** Reads `[:name:]`; undefined if there is none at `at`, null if it is malformed. `end` is the place of its last `]`. */
function namedClass(pattern: string, at: number): { source: string; end: number } | null | undefined {
	if (!pattern.startsWith('[:', at)) return undefined;
	const end = pattern.indexOf(']', at + 2);
	if (end < 0) return null;
	if (end === at + 2 || pattern[end - 1] !== ':') return undefined;
	const source = CLASSES[pattern.slice(at + 2, end - 1)];
	return source === undefined ? null : { source, end };
}

/** Reads one character of a set, maybe after a backslash; null at the end of the pattern. */
function literal(pattern: string, at: number): { letter: string; end: number } | null {
	const end = pattern[at] === '\\' ? at + 1 : at;
	const letter = pattern[end];
	return letter === undefined ? null : { letter, end };
}

const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
