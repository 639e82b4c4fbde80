import { closing } from './names.ts';

/** Marks before a line of a recipe. */
export interface LineMarks {
	isSilent: boolean;
	ignoresErrors: boolean;
	/** It runs with `-n`, `-t` and `-q` too: `+`, or it calls make. */
	runsAlways: boolean;
}

const MAKE_CALL = /\$[({]MAKE[)}]/;

/** Marks of a line as it is written. */
export function marksOf(line: string): LineMarks {
	const [marks = ''] = /^[\s@+-]*/.exec(line) ?? [];
	return {
		isSilent: marks.includes('@'),
		ignoresErrors: marks.includes('-'),
		runsAlways: marks.includes('+') || MAKE_CALL.test(line)
	};
}

/** The line without its marks. */
export const unmarked = (line: string): string => line.replace(/^[\s@+-]*/, '');

/** Joins the lines inside of references: there a backslash at the end of a line is no part of the command. */
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

/** Parts an expanded line where it has line ends; what a backslash joins stays together. */
export const commandsOf = (text: string): string[] => text.split(/(?<!\\)\n/);

/** Shell of recipes, where a makefile sets no other. */
export const DEFAULT_SHELL = '/bin/sh';

const SHELL_CHARACTERS = /[#;"*?[\]&|<>(){}$`^~!\n]/;
const SHELL_WORDS = new Set(
	`. : alias bg break case cd command continue eval exec exit export fc fg for getopts hash if jobs login logout read
	readonly return set shift test times trap type ulimit umask unalias unset wait while`.split(/\s+/)
);

/** Words of a command that needs no shell; `null` for one that does. */
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
