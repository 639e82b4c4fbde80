import { isGitDirectoryName } from '#environment/entry-path.ts';
import { Mode } from '#environment/mode.ts';
import { decode, toHex } from '../bytes.ts';
import { parseConfig } from '../config/config-file.ts';
import { isRefName } from '../refs/ref-format.ts';
import { isObjectId } from './object-id.ts';
import { NULL_ID, OBJECT_TYPES, type ObjectType } from './object.ts';

/** Severity of a fault: `info` is a warning that strict checking does not turn into an error. */
export type FaultLevel = 'error' | 'warn' | 'info' | 'ignore';

/** Receives the name and the description of a fault. Returns whether it is an error, after which parsing must stop. */
export type ReportFault = (kind: string, text: string) => boolean;

/** Severities of faults that are not errors. */
const LEVELS: Record<string, FaultLevel> = {
	emptyName: 'warn',
	fullPathname: 'warn',
	hasDot: 'warn',
	hasDotdot: 'warn',
	hasDotgit: 'warn',
	nullSha1: 'warn',
	zeroPaddedFilemode: 'warn',
	nulInCommit: 'warn',
	badFilemode: 'info',
	gitmodulesParse: 'info',
	gitignoreSymlink: 'info',
	gitattributesSymlink: 'info',
	mailmapSymlink: 'info',
	badTagName: 'info',
	missingTaggerEntry: 'info',
	extraHeaderEntry: 'ignore'
};

/** Severity of a fault: as configured, otherwise git's default. */
export function faultLevel(kind: string, isStrict: boolean, set: (kind: string) => string | undefined): FaultLevel {
	const given = set(kind.toLowerCase());
	if (given === 'error' || given === 'warn' || given === 'ignore') return given;
	const level = LEVELS[kind] ?? 'error';
	return isStrict && level === 'warn' ? 'error' : level;
}

/** Reports the faults of an object (git-fsck(1), "FSCK MESSAGES"). */
export function findFaults(
	type: ObjectType,
	content: Uint8Array,
	report: ReportFault,
	how: { isStrict: boolean; special?: 'gitmodules' | 'gitattributes' | undefined }
): void {
	if (type === 'tree') findTreeFaults(content, report, how.isStrict);
	else if (type === 'commit') findCommitFaults(content, report);
	else if (type === 'tag') findTagFaults(content, report);
	else if (how.special === 'gitmodules') findModuleFaults(content, report);
}

const USUAL_MODES: ReadonlySet<string> = new Set(['100755', '100644', '120000', '40000', '160000']);

interface RawEntry {
	mode: string;
	name: string;
	id: string;
}

/** Raw entries of a tree; null if the content is not a valid tree. */
export function rawEntries(content: Uint8Array): RawEntry[] | null {
	const entries: RawEntry[] = [];
	for (let at = 0; at < content.length;) {
		const space = content.indexOf(0x20, at);
		const end = content.indexOf(0, space);
		if (space < 0 || end < 0 || end + 21 > content.length) return null;
		const mode = decode(content.subarray(at, space));
		if (!/^[0-7]{1,7}$/.test(mode)) return null;
		const name = decode(content.subarray(space + 1, end));
		if (name === '') return null;
		entries.push({ mode, name, id: toHex(content.subarray(end + 1, end + 21)) });
		at = end + 21;
	}
	return entries;
}

function findTreeFaults(content: Uint8Array, report: ReportFault, isStrict: boolean): void {
	const entries = rawEntries(content);
	if (!entries) return void report('badTree', 'cannot be parsed as a tree');
	const isLink = (entry: RawEntry) => Number.parseInt(entry.mode, 8) === Mode.symlink;
	const links = entries.filter(isLink).map(({ name }) => name.toLowerCase());
	if (links.includes('.gitmodules')) report('gitmodulesSymlink', '.gitmodules is a symbolic link');
	for (const [name, kind] of [
		['.gitattributes', 'gitattributesSymlink'],
		['.gitignore', 'gitignoreSymlink'],
		['.mailmap', 'mailmapSymlink']
	] as const)
		if (links.includes(name)) report(kind, `${name} is a symlink`);
	const isDotGit = (name: string) => name.split('\\').some((part) => isGitDirectoryName(part));
	const isUsual = ({ mode }: RawEntry) =>
		USUAL_MODES.has(mode.replace(/^0+/, '')) || (mode.replace(/^0+/, '') === '100664' && !isStrict);
	const order = orderOf(entries);
	const faults: [boolean, string, string][] = [
		[entries.some(({ id }) => id === NULL_ID), 'nullSha1', 'contains entries pointing to null sha1'],
		[entries.some(({ name }) => name.includes('/')), 'fullPathname', 'contains full pathnames'],
		[entries.some(({ name }) => name === '.'), 'hasDot', "contains '.'"],
		[entries.some(({ name }) => name === '..'), 'hasDotdot', "contains '..'"],
		[entries.some(({ name }) => isDotGit(name)), 'hasDotgit', "contains '.git'"],
		[entries.some(({ mode }) => mode.startsWith('0')), 'zeroPaddedFilemode', 'contains zero-padded file modes'],
		[!entries.every(isUsual), 'badFilemode', 'contains bad file modes'],
		[order.hasTwice, 'duplicateEntries', 'contains duplicate file entries'],
		[!order.isSorted, 'treeNotSorted', 'not properly sorted']
	];
	for (const [isFault, kind, text] of faults) if (isFault) report(kind, text);
}

/** Ids of the objects that an object refers to, except the commits of submodules. */
export function linkedIds(type: ObjectType, content: Uint8Array): string[] {
	if (type === 'tree')
		return (rawEntries(content) ?? []).flatMap(({ mode, id }) =>
			Number.parseInt(mode, 8) === Mode.commit ? [] : [id]
		);
	if (type === 'blob') return [];
	const text = decode(content);
	const head = text.includes('\n\n') ? text.slice(0, text.indexOf('\n\n')) : text;
	return [...head.matchAll(/^(?:tree|parent|object) ([0-9a-f]{40})$/gm)].map(([, id = '']) => id);
}

/** Checks for duplicate names and for sorting (a directory sorts as if its name ended with a slash). */
function orderOf(entries: readonly RawEntry[]): { hasTwice: boolean; isSorted: boolean } {
	const keys = entries.map(({ mode, name }) => (Number.parseInt(mode, 8) === Mode.directory ? `${name}/` : name));
	const before = (one: string, other: string) => compareBytes(one, other) < 0;
	const names = new Set(entries.map(({ name }) => name));
	const isEqual = (i: number) => i > 0 && entries[i - 1]?.name === entries[i]?.name;
	const isSorted = keys.every((key, i) => i === 0 || isEqual(i) || before(keys[i - 1]!, key));
	return { hasTwice: names.size < entries.length, isSorted };
}

const encoder = new TextEncoder();
function compareBytes(one: string, other: string): number {
	const [a, b] = [encoder.encode(one), encoder.encode(other)];
	for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
	return a.length - b.length;
}

/** Reports an unterminated header. Returns whether the header is complete. */
function hasHead(text: string, report: ReportFault): boolean {
	const end = text.indexOf('\n\n');
	const zero = text.indexOf('\0');
	if (zero >= 0 && (end < 0 || zero < end)) return !report('nulInHeader', `unterminated header: NUL at offset ${zero}`);
	if (end >= 0 || text.endsWith('\n')) return true;
	report('unterminatedHeader', 'unterminated header');
	return false;
}

function findCommitFaults(content: Uint8Array, report: ReportFault): void {
	const text = decode(content);
	if (!hasHead(text, report)) return;
	const lines = text.split('\n');
	const tree = lines.shift() ?? '';
	if (!tree.startsWith('tree ')) return void report('missingTree', "invalid format - expected 'tree' line");
	if (!isObjectId(tree.slice(5)) && report('badTreeSha1', "invalid 'tree' line format - bad sha1")) return;
	while (lines[0]?.startsWith('parent ')) {
		const parent = lines.shift()!.slice(7);
		if (!isObjectId(parent) && report('badParentSha1', "invalid 'parent' line format - bad sha1")) return;
	}
	let authors = 0;
	while (lines[0]?.startsWith('author ')) {
		authors++;
		if (hasBadPerson(lines.shift()!.slice(7), report)) return;
	}
	if (authors === 0 && report('missingAuthor', "invalid format - expected 'author' line")) return;
	if (authors > 1 && report('multipleAuthors', "invalid format - multiple 'author' lines")) return;
	const committer = lines.shift() ?? '';
	if (!committer.startsWith('committer '))
		return void report('missingCommitter', "invalid format - expected 'committer' line");
	if (hasBadPerson(committer.slice(10), report)) return;
	if (content.includes(0)) report('nulInCommit', 'NUL byte in the commit object body');
}

/** The largest valid time, 2^63 - 1. */
const MOST_SECONDS = 9_223_372_036_854_775_807n;

/** Reports faults in a line with a person and a time. Returns whether one of them is an error. */
function hasBadPerson(line: string, report: ReportFault): boolean {
	const bad = (kind: string, text: string) => report(kind, `invalid author/committer line - ${text}`);
	if (line.startsWith('<')) return bad('missingNameBeforeEmail', 'missing space before email');
	const at = line.search(/[<>]/);
	if (at >= 0 && line[at] === '>') return bad('badName', 'bad name');
	if (at < 0) return bad('missingEmail', 'missing email');
	if (line[at - 1] !== ' ') return bad('missingSpaceBeforeEmail', 'missing space before email');
	const rest = line.slice(at + 1);
	const end = rest.search(/[<>]/);
	if (end < 0 || rest[end] === '<') return bad('badEmail', 'bad email');
	if (rest[end + 1] !== ' ') return bad('missingSpaceBeforeDate', 'missing space before date');
	const when = rest.slice(end + 2);
	if (/^0[^ ]/.test(when)) return bad('zeroPaddedDate', 'zero-padded date');
	const seconds = /^\d+/.exec(when)?.[0] ?? '';
	if (seconds !== '' && BigInt(seconds) > MOST_SECONDS) return bad('badDateOverflow', 'date causes integer overflow');
	if (seconds === '' || when[seconds.length] !== ' ') return bad('badDate', 'bad date');
	return /^[+-]\d{4}$/.test(when.slice(seconds.length + 1)) ? false : bad('badTimezone', 'bad time zone');
}

function findTagFaults(content: Uint8Array, report: ReportFault): void {
	const text = decode(content);
	if (!hasHead(text, report)) return;
	const lines = text.split('\n');
	const field = (name: string): string | null =>
		lines[0]?.startsWith(`${name} `) ? lines.shift()!.slice(name.length + 1) : null;
	const object = field('object');
	if (object === null) return void report('missingObject', "invalid format - expected 'object' line");
	if (!isObjectId(object) && report('badObjectSha1', "invalid 'object' line format - bad sha1")) return;
	const type = field('type');
	if (type === null) return void report('missingTypeEntry', "invalid format - expected 'type' line");
	if (lines.length === 0) return void report('missingType', "invalid format - unexpected end after 'type' line");
	if (!OBJECT_TYPES.some((known) => known === type) && report('badType', "invalid 'type' value")) return;
	const name = field('tag');
	if (name === null) return void report('missingTagEntry', "invalid format - expected 'tag' line");
	if (lines.length === 0) return void report('missingTag', "invalid format - unexpected end after 'type' line");
	if (!isRefName(`refs/tags/${name}`) && report('badTagName', `invalid 'tag' name: ${name}`)) return;
	const tagger = field('tagger');
	if (tagger === null) {
		if (report('missingTaggerEntry', "invalid format - expected 'tagger' line")) return;
	} else if (hasBadPerson(tagger, report)) return;
	if (lines.length > 0 && lines[0] !== '')
		report('extraHeaderEntry', "invalid format - extra header(s) after 'tagger'");
}

/** Reports submodule settings that could run a program or refer to a path outside the repository. */
function findModuleFaults(content: Uint8Array, report: ReportFault): void {
	let settings: ReturnType<typeof parseConfig>;
	try {
		settings = parseConfig(decode(content));
	} catch {
		return void report('gitmodulesParse', 'could not parse gitmodules blob');
	}
	for (const { key, value } of settings) {
		const [, name, variable] = /^submodule\.(.*)\.([^.]+)$/s.exec(key) ?? [];
		if (name === undefined) continue;
		if (/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name) || name === '')
			report('gitmodulesName', `disallowed submodule name: ${name}`);
		if (variable === 'url' && (value.startsWith('-') || /[\r\n]|%0a/i.test(value)))
			report('gitmodulesUrl', `disallowed submodule url: ${value}`);
		if (variable === 'path' && value.startsWith('-')) report('gitmodulesPath', `disallowed submodule path: ${value}`);
		if (variable === 'update' && value.startsWith('!'))
			report('gitmodulesUpdate', `disallowed submodule update setting: ${value}`);
	}
}
