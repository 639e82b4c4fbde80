/** Parts of a subscript that may contain brackets: escapes, quotes, backquoted commands. */
const WHOLE = /\\[^]|'[^']*(?:'|$)|"(?:[^"\\]|\\[^])*(?:"|$)|`(?:[^`\\]|\\[^])*(?:`|$)/y;

/** Index of the bracket that closes the one at `open`; -1 if there is none. Quoted brackets do not count. */
export function subscriptEnd(text: string, open: number): number {
	const closers: string[] = [];
	for (let at = open; at < text.length; at++) {
		WHOLE.lastIndex = at;
		const whole = WHOLE.exec(text)?.[0];
		if (whole !== undefined) {
			at += whole.length - 1;
			continue;
		}
		const char = text[at] ?? '';
		const next = text[at + 1];
		if (char === '$' && (next === '(' || next === '{')) closers.push(next === '(' ? ')' : '}');
		else if (char === '(' && closers.at(-1) === ')' && text[at - 1] !== '$') closers.push(')');
		else if (char === '[' && (closers.length === 0 || closers.at(-1) === ']')) closers.push(']');
		else if (char === closers.at(-1)) {
			closers.pop();
			if (closers.length === 0) return at;
		}
	}
	return -1;
}

/** Splits `name[subscript]`; null for any other text. */
export function arrayReference(text: string): { name: string; subscript: string } | null {
	const name = /^\w+(?=\[)/.exec(text)?.[0];
	if (name === undefined || subscriptEnd(text, name.length) !== text.length - 1) return null;
	return { name, subscript: text.slice(name.length + 1, -1) };
}

/** Returns whether a text is `name` or `name[subscript]`, which a value can be assigned to. */
export function isPlace(text: string): boolean {
	const reference = arrayReference(text);
	return /^[A-Za-z_]\w*$/.test(reference?.name ?? text) && reference?.subscript !== '';
}

/** Quotes an expanded subscript so that it expands to the same text. */
export const quoteSubscript = (text: string): string => text.replace(/[[\]$`~\\'"]/g, '\\$&');
