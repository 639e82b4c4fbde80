/** Option that a program declares. */
export interface OptionConfig {
	type: 'string' | 'boolean';
	short?: string;
	multiple?: boolean;
	default?: unknown;
}

export interface OptionToken {
	kind: 'option';
	name: string;
	/** As it was written: `--name` or `-n`. */
	rawName: string;
	index: number;
	value: string | undefined;
	inlineValue: boolean | undefined;
}
export type Token =
	OptionToken | { kind: 'positional'; index: number; value: string } | { kind: 'option-terminator'; index: number };

/** Splits a command line for `util.parseArgs`. */
export function tokenise(args: readonly string[], options: Record<string, OptionConfig>): Token[] {
	const tokens: Token[] = [];
	const queue = [...args];
	/** Options of the group that is being read, such as `-abc`: they have one index. */
	let inGroup = 0;
	let index = -1;
	const takesValue = (name: string) => Object.hasOwn(options, name) && options[name]?.type === 'string';
	const longOf = (letter: string) => Object.entries(options).find(([, { short }]) => short === letter)?.[0] ?? letter;
	const add = (name: string, rawName: string, inline?: string) => {
		const place = index;
		let value = inline;
		let inlineValue = inline === undefined ? undefined : true;
		if (inline === undefined && takesValue(name) && queue.length > 0) {
			value = queue.shift();
			inlineValue = false;
			index++;
		}
		tokens.push({ kind: 'option', name, rawName, index: place, value, inlineValue });
	};
	for (let argument = queue.shift(); argument !== undefined; argument = queue.shift()) {
		if (inGroup > 0) inGroup--;
		else index++;
		const equals = argument.indexOf('=');
		if (argument === '--') {
			tokens.push({ kind: 'option-terminator', index });
			for (const value of queue.splice(0)) tokens.push({ kind: 'positional', index: ++index, value });
		} else if (/^--./s.test(argument)) {
			if (argument.includes('=', 3))
				add(argument.slice(2, equals), argument.slice(0, equals), argument.slice(equals + 1));
			else add(argument.slice(2), argument);
		} else if (/^-[^-]$/s.test(argument)) add(longOf(argument.slice(1)), argument);
		else if (/^-[^-]./s.test(argument)) {
			const first = longOf(argument.charAt(1));
			if (takesValue(first)) add(first, argument.slice(0, 2), argument.slice(2));
			else {
				const letters = separate(argument.slice(1), (letter) => takesValue(longOf(letter)));
				queue.unshift(...letters);
				inGroup = letters.length;
			}
		} else tokens.push({ kind: 'positional', index, value: argument });
	}
	return tokens;
}

/** Splits a group of short options: one with a value takes the rest. */
function separate(group: string, takesValue: (letter: string) => boolean): string[] {
	const at = [...group.split('')].findIndex(takesValue);
	if (at < 0) return group.split('').map((letter) => `-${letter}`);
	return [
		...group
			.slice(0, at)
			.split('')
			.map((letter) => `-${letter}`),
		`-${group.slice(at)}`
	];
}
