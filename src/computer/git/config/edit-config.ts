import { type ConfigItem, normalizeKey, parseItems } from './config-file.ts';

/** Selects the settings of a key that an edit replaces. */
export type Matching = (value: string, isBare: boolean) => boolean;

/** Maximum line length; longer lines are rejected. */
const LINE_CHARS = 512 * 1024;

/** Changes or adds one setting in the text of a configuration file. @param value null removes the setting */
export function editConfig(text: string, key: string, value: string | null, add = false): string {
	return replaceSettings(text, key, value, add ? () => false : undefined);
}

/**
 * Replaces all matching settings of a key with one; adds it if none matches.
 *
 * @param value null removes them
 */
export function replaceSettings(
	text: string,
	key: string,
	value: string | null,
	matches: Matching = () => true
): string {
	const { items } = parseItems(text);
	const found = matchingItems(items, key, matches);
	if (found.length > 0) return value === null ? without(text, items, found) : replaced(text, found, lineOf(key, value));
	if (value === null) return text;
	const section = normalizeKey(key);
	const own = section.slice(0, section.lastIndexOf('.'));
	let isOwn = false;
	let last: ConfigItem | undefined;
	for (const item of items) {
		if (item.kind === 'section') isOwn = item.key === (item.isOldStyle ? own.toLowerCase() : own);
		if (isOwn && item.kind !== 'comment') last = item;
	}
	const line = lineOf(key, value);
	if (!last) {
		const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
		return `${start}${sectionHead(key.slice(0, key.lastIndexOf('.')))}\n${line}`;
	}
	const end = last.kind === 'section' ? endOfLine(text, last.end) : last.end;
	const before = text.slice(0, end);
	return `${before}${before.endsWith('\n') ? '' : '\n'}${line}${text.slice(end)}`;
}

/** Counts the settings that an edit would replace. */
export const countMatching = (text: string, key: string, matches: Matching = () => true): number =>
	matchingItems(parseItems(text).items, key, matches).length;

function matchingItems(items: readonly ConfigItem[], key: string, matches: Matching): ConfigItem[] {
	const wanted = normalizeKey(key);
	return items.filter(({ setting }) => setting?.key === wanted && matches(setting.value, setting.isBare ?? false));
}

/** Position after the rest of the line if that is only blanks and a comment; otherwise `at`. */
function endOfLine(text: string, at: number): number {
	const rest = /[^\S\n]*(?:[#;][^\n]*)?\n/y;
	rest.lastIndex = at;
	return rest.test(text) ? rest.lastIndex : at;
}

/** Removes items and the blanks before them, and inserts a line in place of the last one. */
function replaced(text: string, found: readonly ConfigItem[], line: string): string {
	let result = '';
	let at = 0;
	for (const { start, end } of found) {
		result += text.slice(at, start).replace(/[^\S\n]+$/, '');
		// The newline was part of the removed item.
		if (result !== '' && !result.endsWith('\n')) result += '\n';
		at = end;
	}
	return result + line + text.slice(at);
}

/** Removes settings, and sections of that name that become empty; a comment keeps a section. */
function without(text: string, items: readonly ConfigItem[], found: readonly ConfigItem[]): string {
	const gone = new Set(found);
	const own = found[0]?.key.replace(/\.[^.]*$/, '');
	const emptied = items.filter((item, index) => {
		if (item.kind !== 'section' || item.key !== own) return false;
		const next = items.findIndex((other, at) => at > index && other.kind === 'section');
		const inside = items.slice(index + 1, next < 0 ? undefined : next);
		return inside.every((other) => gone.has(other)) && items[index - 1]?.kind !== 'comment';
	});
	const cut = [...found, ...emptied.map((item) => ({ ...item, end: endOfLine(text, item.end) }))];
	return replaced(
		text,
		cut.sort((a, b) => a.start - b.start),
		''
	);
}

/** Removes a whole section. */
export const removeSection = (text: string, section: string): string => renameSection(text, section, null) ?? text;

/**
 * Renames a section, line by line as git does: text after its header moves to a line of its own.
 *
 * @param to null removes the section
 * @returns null if there is none
 * @throws RangeError with the number of a line that is too long
 */
export function renameSection(text: string, section: string, to: string | null): string | null {
	return mapSections(text, section, (lines) => (to === null ? '' : headed(to, lines)));
}

/** Inserts a renamed copy after each section of that name. Returns null if there is none. */
export function copySection(text: string, section: string, to: string): string | null {
	return mapSections(text, section, (lines) => {
		const whole = `${lines.head}${lines.body}`;
		return `${whole}${whole.endsWith('\n') ? '' : '\n'}${headed(to, lines)}`;
	});
}

/** Section as written: its header, the rest of that line, and the lines below. */
interface WrittenSection {
	head: string;
	rest: string;
	body: string;
}

const headed = (name: string, { rest, body }: WrittenSection): string =>
	`${sectionHead(name)}\n${rest === '' ? '' : `\t${rest}`}${body}`;

/** @throws RangeError with the number of a line that is too long */
function mapSections(text: string, section: string, map: (lines: WrittenSection) => string): string | null {
	const wanted = normalizeSection(section);
	let result = '';
	let isFound = false;
	let open: WrittenSection | null = null;
	const close = () => {
		if (open) result += map(open);
		open = null;
	};
	for (const [index, line] of (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).entries()) {
		if (line.length > LINE_CHARS) throw new RangeError(String(index + 1));
		const start = line.trimStart();
		const [head] = start.startsWith('[') ? parseItems(start).items : [];
		if (head?.kind === 'section') {
			close();
			if (head.key === wanted) {
				isFound = true;
				open = { head: line, rest: start.slice(head.end).trimStart(), body: '' };
				continue;
			}
		}
		const current = open as WrittenSection | null;
		if (current) current.body += line;
		else result += line;
	}
	close();
	return isFound ? result : null;
}

/** Section in the form that items use: `branch.main`. */
function normalizeSection(section: string): string {
	const dot = section.indexOf('.');
	return dot < 0 ? section.toLowerCase() : section.slice(0, dot).toLowerCase() + section.slice(dot);
}

function sectionHead(section: string): string {
	const dot = section.indexOf('.');
	if (dot < 0) return `[${section}]`;
	return `[${section.slice(0, dot)} "${section.slice(dot + 1).replace(/(["\\])/g, '\\$1')}"]`;
}

const lineOf = (key: string, value: string): string => `\t${key.slice(key.lastIndexOf('.') + 1)} = ${quote(value)}\n`;

function quote(value: string): string {
	const escaped = value
		.replace(/(["\\])/g, '\\$1')
		.replace(/\n/g, '\\n')
		.replace(/\t/g, '\\t');
	return /^ | $|[#;]|\r/.test(value) ? `"${escaped}"` : escaped;
}
