import { fatal } from '../errors.ts';
import type { Attribute } from '../worktree/attributes.ts';

/** Whitespace that counts as an error, by `core.whitespace`. */
export interface WhitespaceRule {
	atLineEnd: boolean;
	atFileEnd: boolean;
	spaceBeforeTab: boolean;
	spacesForTab: boolean;
	tabInIndent: boolean;
	/** A carriage return at the end of a line is part of the line ending. */
	allowsCr: boolean;
	tabWidth: number;
}

const DEFAULT: WhitespaceRule = {
	atLineEnd: true,
	atFileEnd: true,
	spaceBeforeTab: true,
	spacesForTab: false,
	tabInIndent: false,
	allowsCr: false,
	tabWidth: 8
};

const NAMES: Readonly<Record<string, readonly (keyof WhitespaceRule)[]>> = {
	'trailing-space': ['atLineEnd', 'atFileEnd'],
	'space-before-tab': ['spaceBeforeTab'],
	'indent-with-non-tab': ['spacesForTab'],
	'cr-at-eol': ['allowsCr'],
	'blank-at-eol': ['atLineEnd'],
	'blank-at-eof': ['atFileEnd'],
	'tab-in-indent': ['tabInIndent']
};

/** Parses `core.whitespace`. @throws GitError if it forbids both tabs and spaces in indentation */
export function parseWhitespaceRule(text: string, start: WhitespaceRule = DEFAULT): WhitespaceRule {
	const rule: Record<string, boolean | number> = { ...start };
	for (const word of text.split(/[,\s]+/).filter(Boolean)) {
		const name = word.replace(/^-/, '');
		const width = /^tabwidth=(\d+)$/.exec(name)?.[1];
		if (width !== undefined) {
			if (Number(width) > 0 && Number(width) < 64) rule['tabWidth'] = Number(width);
			continue;
		}
		for (const [full, properties] of Object.entries(NAMES)) {
			if (full.startsWith(name)) for (const property of properties) rule[property] = !word.startsWith('-');
		}
	}
	if (rule['tabInIndent'] === true && rule['spacesForTab'] === true)
		throw fatal('cannot enforce both tab-in-indent and indent-with-non-tab');
	return rule as unknown as WhitespaceRule;
}

/** Whitespace rule for a file: the attribute `whitespace` overrides the config. */
export function whitespaceRule(attribute: Attribute | undefined, setting: string | undefined): WhitespaceRule {
	const configured = parseWhitespaceRule(setting ?? '');
	const { tabWidth } = configured;
	if (attribute === true) return { ...DEFAULT, spacesForTab: true, tabInIndent: false, allowsCr: false, tabWidth };
	if (attribute === false) return { ...DEFAULT, atLineEnd: false, atFileEnd: false, spaceBeforeTab: false, tabWidth };
	return attribute === undefined ? configured : parseWhitespaceRule(attribute);
}

/** Part of a line, with or without an error. */
export interface LinePart {
	text: string;
	kind: 'indent' | 'wrong' | 'plain' | 'end';
}

/** Whitespace errors of a line in git's order, and its parts. @param line without its newline */
export function checkBlanks(line: string, rule: WhitespaceRule): { problems: Problems; parts: LinePart[] } {
	const problems: Problems = { atLineEnd: false, spaceBeforeTab: false, spacesForTab: false, tabInIndent: false };
	const cr = rule.allowsCr && line.endsWith('\r') ? '\r' : '';
	const text = cr === '' ? line : line.slice(0, -1);
	const trimmed = rule.atLineEnd ? text.replace(/[ \t\r\n]+$/, '') : text;
	problems.atLineEnd = trimmed.length < text.length;
	const parts: LinePart[] = [];
	const add = (kind: LinePart['kind'], part: string) => part !== '' && parts.push({ kind, text: part });
	let written = 0;
	let at = 0;
	for (; at < trimmed.length; at++) {
		if (trimmed[at] === ' ') continue;
		if (trimmed[at] !== '\t') break;
		const blanks = trimmed.slice(written, at);
		if (rule.spaceBeforeTab && blanks !== '') {
			problems.spaceBeforeTab = true;
			add('wrong', blanks);
			add('indent', '\t');
		} else if (rule.tabInIndent) {
			problems.tabInIndent = true;
			add('indent', blanks);
			add('wrong', '\t');
		} else add('indent', `${blanks}\t`);
		written = at + 1;
	}
	if (rule.spacesForTab && at - written >= rule.tabWidth) {
		problems.spacesForTab = true;
		add('wrong', trimmed.slice(written, at));
		written = at;
	}
	add('plain', trimmed.slice(written));
	add('wrong', text.slice(trimmed.length));
	add('end', cr);
	return { problems, parts };
}

export type Problems = Record<'atLineEnd' | 'spaceBeforeTab' | 'spacesForTab' | 'tabInIndent', boolean>;

/** Names of the errors; '' if there are none. */
export function problemNames(problems: Problems): string {
	return [
		problems.atLineEnd ? 'trailing whitespace' : '',
		problems.spaceBeforeTab ? 'space before tab in indent' : '',
		problems.spacesForTab ? 'indent with spaces' : '',
		problems.tabInIndent ? 'tab in indent' : ''
	]
		.filter(Boolean)
		.join(', ');
}

export const isBlankLine = (line: string): boolean => /^[ \t\r\n]*$/.test(line);

/** Fixes whitespace errors in a line, and keeps its newline if it has one. Returns whether the line changed. */
export function fixBlanks(line: string, rule: WhitespaceRule): { text: string; isFixed: boolean } {
	const [, whole = '', newline = ''] = /^([^\n]*)(\n?)$/s.exec(line) ?? [];
	let text = whole;
	let cr = '';
	if (rule.atLineEnd) {
		if (newline !== '' && text.endsWith('\r')) cr = rule.allowsCr ? '\r' : '';
		text = text.replace(/[ \t\r\n]+$/, '');
	}
	const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
	const lastTab = indent.lastIndexOf('\t');
	const hasLateTab = rule.spaceBeforeTab && indent.includes(' \t');
	const hasSpaces = rule.spacesForTab && indent.includes(' '.repeat(rule.tabWidth));
	if (hasLateTab || hasSpaces) {
		// Spaces that fill a whole tab become a tab, and those before a tab are absorbed by it.
		const end = rule.spacesForTab ? indent.length : lastTab + 1;
		text = withTabs(indent.slice(0, end), rule.tabWidth) + text.slice(end);
	} else if (rule.tabInIndent && lastTab >= 0) {
		let columns = '';
		for (const letter of indent.slice(0, lastTab + 1))
			columns += letter === '\t' ? ' '.repeat(rule.tabWidth - (columns.length % rule.tabWidth)) : letter;
		text = columns + text.slice(lastTab + 1);
	}
	const fixed = text + cr + newline;
	return { text: fixed, isFixed: fixed !== line };
}

function withTabs(indent: string, tabWidth: number): string {
	return indent
		.replace(/( *)\t/g, (_, blanks: string) => '\t'.repeat(Math.floor(blanks.length / tabWidth) + 1))
		.replace(
			/ +$/,
			(blanks) => '\t'.repeat(Math.floor(blanks.length / tabWidth)) + ' '.repeat(blanks.length % tabWidth)
		);
}
