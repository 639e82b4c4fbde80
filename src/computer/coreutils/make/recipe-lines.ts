import { closing } from './names.ts';

/** Prefix characters of a recipe line. */
export interface LineMarks {
	isSilent: boolean;
	ignoresErrors: boolean;
	/** Runs even with `-n`, `-t` and `-q`: marked with `+`, or calls make. */
	runsAlways: boolean;
}

const MAKE_CALL = /\$[({]MAKE[)}]/;

/** Reads the prefix characters of a line. */
export function marksOf(line: string): LineMarks {
	const [marks = ''] = /^[\s@+-]*/.exec(line) ?? [];
	return {
		isSilent: marks.includes('@'),
		ignoresErrors: marks.includes('-'),
		runsAlways: marks.includes('+') || MAKE_CALL.test(line)
	};
}

/** Removes the prefix characters of a line. */
export const unmarked = (line: string): string => line.replace(/^[\s@+-]*/, '');

/** Joins lines inside references: a backslash at a line end is no part of the command there. */
export function withJoinedReferences(line: string): string {
	let result = '';
	for (let at = 0; at < line.length; at++) {
		const next = line[at + 1] ?? '';
		if (line[at] !== '$' || (next !== '(' && next !== '{')) {
			if (line[at] === '$') result += line[at++];
			result += line[at] ?? '';
			continue;
		}
		const end = closing(line, at + 1);
		if (end < 0) return result + line.slice(at);
		result += line.slice(at, end + 1).replace(/[ \t]*\\\n[ \t]*/g, ' ');
		at = end;
	}
	return result;
}

/** Splits an expanded line at its line ends, except after a backslash. */
export const commandsOf = (text: string): string[] => text.split(/(?<!\\)\n/);

/** Shell of recipes, unless a makefile sets another. */
export const DEFAULT_SHELL = '/bin/sh';

const SHELL_CHARACTERS = /[#;"*?[\]&|<>(){}$`^~!\n]/;
const SHELL_WORDS = new Set(
	`. : alias bg break case cd command continue eval exec exit export fc fg for getopts hash if jobs login logout read
	readonly return set shift test times trap type ulimit umask unalias unset wait while`.split(/\s+/)
);

/** Splits a command that needs no shell into words; `null` if it needs one. */
export function simpleWords(command: string): string[] | null {
	const words: string[] = [];
	let word: string | null = null;
	let quote = '';
	for (let at = 0; at < command.length; at++) {
		const letter = command[at] ?? '';
		if (quote === "'") {
			if (letter === "'") quote = '';
			else word = (word ?? '') + letter;
		} else if (letter === "'") {
			quote = letter;
			word ??= '';
		} else if (letter === '\\' && /^[^\n]$/.test(command[at + 1] ?? '')) word = (word ?? '') + command[++at];
		else if (letter === ' ' || letter === '\t') {
			if (word !== null) words.push(word);
			word = null;
		} else if (SHELL_CHARACTERS.test(letter) || letter === '\\') return null;
		else if (letter === '=' && words.length === 0) return null;
		else word = (word ?? '') + letter;
	}
	if (quote !== '') return null;
	if (word !== null) words.push(word);
	return SHELL_WORDS.has(words[0] ?? '') ? null : words;
}
