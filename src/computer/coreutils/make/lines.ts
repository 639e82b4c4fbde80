/** A line of a makefile, with its continuation lines. */
export interface MakefileLine {
	text: string;
	/** 1-based. */
	number: number;
	isRecipe: boolean;
}

/** Joins lines that end in a backslash. In a recipe the backslash stays: the shell reads it. */
export function logicalLines(source: string): MakefileLine[] {
	const raw = source.replace(/\r\n/g, '\n').split('\n');
	if (raw.at(-1) === '') raw.pop();
	const lines: MakefileLine[] = [];
	for (let index = 0; index < raw.length; index++) {
		const number = index + 1;
		let text = raw[index] ?? '';
		const isRecipe = text.startsWith('\t');
		while (/(?:^|[^\\])(?:\\\\)*\\$/.test(text) && index + 1 < raw.length) {
			const next = raw[++index] ?? '';
			text = isRecipe
				? `${text}\n${next.startsWith('\t') ? next.slice(1) : next}`
				: `${text.slice(0, -1).trimEnd()} ${next.trimStart()}`;
		}
		lines.push({ text, number, isRecipe });
	}
	return lines;
}

/** A line without its comment. `\#` is a plain `#`. */
export function withoutComment(text: string): string {
	const at = /(^|[^\\])#/.exec(text);
	const kept = at ? text.slice(0, at.index + (at[1]?.length ?? 0)) : text;
	return kept.replace(/\\#/g, '#');
}

/** `NAME = value` in its parts; null where a line is none. */
export function assignment(text: string): { name: string; operator: string; value: string } | null {
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const letter = text[at] ?? '';
		if ('({'.includes(letter)) depth++;
		else if (')}'.includes(letter)) depth--;
		else if (depth === 0) {
			const [operator] = /^(?::::=|::=|:=|\?=|\+=|!=|=)/.exec(text.slice(at)) ?? [];
			if (operator !== undefined) {
				const name = text.slice(0, at).trim();
				if (name === '' || /[\s:]/.test(name.replace(/\$[({].*?[)}]/g, ''))) return null;
				return { name, operator, value: text.slice(at + operator.length).replace(/^[ \t]+/, '') };
			}
			if (letter === ':') return null;
		}
	}
	return null;
}
