/**
 * Converts a `.gitignore` pattern or a pathspec to a regular expression for a whole path.
 * @param slashes `*` and `?` also match slashes (pathspecs: yes, ignore files: no)
 */
export function wildmatch(pattern: string, slashes = false): RegExp {
	const any = slashes ? '[\\s\\S]' : '[^/]';
	let source = '';
	for (let i = 0; i < pattern.length; i++) {
		const letter = pattern[i]!;
		if (letter === '*') {
			let end = i;
			while (pattern[end + 1] === '*') end++;
			const whole =
				end > i && (i === 0 || pattern[i - 1] === '/') && (end + 1 === pattern.length || pattern[end + 1] === '/');
			if (whole && pattern[end + 1] === '/') {
				source += '(?:[\\s\\S]*/)?';
				end++;
			} else source += whole ? '[\\s\\S]*' : `${any}*`;
			i = end;
		} else if (letter === '?') source += any;
		else if (letter === '[') {
			const end = classEnd(pattern, i);
			if (end < 0) source += '\\[';
			else {
				const inside = pattern
					.slice(i + 1, end)
					.replace(/^!/, '^')
					.replace(/\[:(\w+):\]/g, (_, name: string) => CLASSES[name] ?? '');
				source += `(?!/)[${inside.replace(/\[/g, '\\[')}]`;
				i = end;
			}
		} else if (letter === '\\') source += escape(pattern[++i] ?? '\\');
		else source += escape(letter);
	}
	return new RegExp(`^${source}$`);
}

const CLASSES: Record<string, string> = {
	alpha: 'A-Za-z',
	digit: '0-9',
	alnum: 'A-Za-z0-9',
	upper: 'A-Z',
	lower: 'a-z',
	space: '\\s',
	punct: '!-\\/:-@\\[-`{-~'
};

function classEnd(pattern: string, start: number): number {
	let i = start + 1;
	if (pattern[i] === '!' || pattern[i] === '^') i++;
	if (pattern[i] === ']') i++;
	for (; i < pattern.length; i++) {
		if (pattern[i] === '\\') i++;
		else if (pattern.startsWith('[:', i)) i = pattern.indexOf(':]', i) + 1 || pattern.length;
		else if (pattern[i] === ']') return i;
	}
	return -1;
}

const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
