import { diffArrays, structuredPatch } from 'diff';
import type { StructuredPatchHunk } from 'diff';
import { splitLines } from '#environment/lines.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { decode } from '#computer/process/text.ts';
import { contextOutput } from './context-output.ts';
import { readWhole } from '../../input/whole-file.ts';
import { type Options, UsageError, utility } from '../../options.ts';
import { type Columns, sideBySide } from './side-by-side.ts';

const SPECIFICATION =
	'u U= unified=? c C= context=? q|brief r|recursive N|new-file w|ignore-all-space b|ignore-space-change i|ignore-case B|ignore-blank-lines E Z|ignore-trailing-space ' +
	's|report-identical-files a|text x|exclude= color=? label|L= strip-trailing-cr d|minimal p normal H e t|expand-tabs T n ' +
	'y|side-by-side W|width= left-column suppress-common-lines';

interface How {
	context: number | null;
	options: Options;
	ignore: (line: string) => string;
	/** The options as a recursive comparison repeats them above each file. */
	shown: string;
}

/** `diff` of two files or, with `-r`, two trees: normal, unified, context and side-by-side output. */
export const diff = utility(
	SPECIFICATION,
	async (call, options) => {
		const [from, to] = options.operands;
		if (from === undefined || to === undefined) throw new UsageError(`missing operand after '${from ?? 'diff'}'`);
		if (options.operands.length > 2) throw new UsageError(`extra operand '${options.operands[2]}'`);
		if (options.has('e', 'n')) throw new UsageError('ed scripts (-e) and RCS output (-n) are not known here');
		const lines = options.get('U') ?? options.get('C') ?? options.get('unified') ?? options.get('context');
		let ignore: (line: string) => string = (line) => line;
		if (options.has('w')) ignore = (line) => line.replace(/\s+/g, '');
		else if (options.has('b')) ignore = (line) => line.replace(/\s+/g, ' ').trimEnd();
		else if (options.has('E', 'Z')) ignore = (line) => line.trimEnd();
		if (options.has('strip-trailing-cr')) ignore = after(ignore, (line) => line.replace(/\r(?=\n|$)/, ''));
		if (options.has('i')) ignore = after(ignore, (line) => line.toLowerCase());
		const context = lines !== undefined ? Number(lines || 3) : options.has('u', 'c') ? 3 : null;
		const shown = call.args.filter((arg) => /^-./.test(arg)).join(' ');
		const how: How = { context, options, ignore, shown };
		const { shell } = call;
		const isDirectory = (name: string) =>
			name !== '-' && shell.host.context.sync.statOrNull(shell.path(name))?.kind === 'directory';
		const [first, second] = [isDirectory(from), isDirectory(to)];
		if (first && second) return compareTrees(call, from, to, how);
		// A file against a directory is compared with the file of that name in it.
		const base = (name: string) => name.split('/').at(-1) ?? name;
		return compareFiles(call, first ? `${from}/${base(to)}` : from, second ? `${to}/${base(from)}` : to, how);
	},
	2
);

const after = (one: (line: string) => string, two: (line: string) => string) => (line: string) => two(one(line));

async function compareFiles(call: Call, from: string, to: string, how: How, heading = ''): Promise<number> {
	const { options, ignore } = how;
	const empty = options.has('N');
	// Standard input is the same as itself, and stays for the next reader.
	const isInputTwice = from === '-' && to === '-' && !options.has('y');
	const [before, after] = isInputTwice
		? ['', '']
		: [await contentOf(call, from, empty), await contentOf(call, to, empty)];
	if (before === null || after === null) return 2;
	const blank = options.has('B');
	const plain = (text: string) =>
		splitLines(text)
			.map(ignore)
			.filter((line) => !blank || line.trim() !== '')
			.join('');
	const isSame = before === after || plain(before) === plain(after);
	if (isSame && (!options.has('y') || options.has('q'))) {
		if (options.has('s')) await call.out(`Files ${from} and ${to} are identical\n`);
		return 0;
	}
	if (options.has('q')) {
		await call.out(`Files ${from} and ${to} differ\n`);
		return 1;
	}
	if (before.includes('\0') || after.includes('\0')) {
		await call.out(`Binary files ${from} and ${to} differ\n`);
		return 1;
	}
	await call.out(heading + shownAs(call, from, to, before, after, how));
	return isSame ? 0 : 1;
}

/** The differences in the form that is asked for. @throws UsageError */
function shownAs(call: Call, from: string, to: string, before: string, after: string, how: How): string {
	const { options, ignore, context } = how;
	if (options.has('y')) {
		const common = options.has('suppress-common-lines') ? 'none' : options.has('left-column') ? 'left' : 'both';
		const columns: Columns = { width: options.number('W', 130), ignore, common, isExpanded: options.has('t') };
		return sideBySide(splitLines(before), splitLines(after), columns);
	}
	if (context === null) return normal(before, after, ignore);
	const labels = options.all('label');
	const title = (index: number, name: string) => labels[index] ?? `${name}\t${stamp(call, name)}`;
	const hunks = hunksOf(before, after, ignore, context);
	return options.has('c', 'C', 'context')
		? `*** ${title(0, from)}\n--- ${title(1, to)}\n${contextOutput(hunks)}`
		: `--- ${title(0, from)}\n+++ ${title(1, to)}\n${unified(hunks)}`;
}

async function compareTrees(call: Call, from: string, to: string, how: How): Promise<number> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const excluded = how.options.all('x').map((glob) => globRegExp(glob));
	const kinds = (name: string) =>
		new Map(
			sync
				.readdir(shell.path(name))
				.filter((entry) => !excluded.some((one) => one.test(entry.name)))
				.map((entry) => [entry.name, sync.statOrNull(shell.path(`${name}/${entry.name}`))?.kind])
		);
	const [left, right] = [kinds(from), kinds(to)];
	let status = 0;
	for (const name of [...new Set([...left.keys(), ...right.keys()])].sort()) {
		const [one, other] = [`${from.replace(/\/$/, '')}/${name}`, `${to.replace(/\/$/, '')}/${name}`];
		const [kind, otherKind] = [left.get(name), right.get(name)];
		let result = 1;
		const alone = !left.has(name) || !right.has(name);
		if (alone && !(how.options.has('N') && (kind ?? otherKind) === 'file'))
			await call.out(`Only in ${left.has(name) ? from : to}: ${name}\n`);
		else if (kind === 'directory' && otherKind === 'directory') {
			if (how.options.has('r')) result = await compareTrees(call, one, other, how);
			else {
				await call.out(`Common subdirectories: ${one} and ${other}\n`);
				result = 0;
			}
		} else if (!alone && kind !== otherKind) {
			const words = (of: typeof kind) => (of === 'file' ? 'regular file' : String(of));
			await call.out(`File ${one} is a ${words(kind)} while file ${other} is a ${words(otherKind)}\n`);
		} else result = await compareFiles(call, one, other, how, `diff ${how.shown} ${one} ${other}\n`.replace('  ', ' '));
		status = Math.max(status, result);
	}
	return status;
}

async function contentOf(call: Call, name: string, empty: boolean): Promise<string | null> {
	const { shell } = call;
	try {
		if (empty && !shell.host.context.sync.statOrNull(shell.path(name))) return '';
		return decode(name === '-' ? await shell.descriptors.require(0).readAll() : await readWhole(shell, name));
	} catch (error) {
		await call.complain(`${name}: ${reason(error)}`);
		return null;
	}
}

const shown = (line: string, sign: string) =>
	`${sign} ${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`;

function normal(before: string, after: string, ignore: (line: string) => string): string {
	const changes = diffArrays(splitLines(before), splitLines(after), {
		comparator: (a, b) => ignore(a) === ignore(b)
	});
	const range = (start: number, size: number) => (size > 1 ? `${start},${start + size - 1}` : String(start));
	let output = '';
	let [oldLine, newLine] = [1, 1];
	for (let index = 0; index < changes.length; index++) {
		const change = changes[index];
		if (!change) break;
		if (!change.added && !change.removed) {
			oldLine += change.value.length;
			newLine += change.value.length;
			continue;
		}
		const next = changes[index + 1];
		const paired = next && next.added !== change.added && (next.added || next.removed);
		const removed = change.removed ? change.value : paired && next.removed ? next.value : [];
		const added = change.added ? change.value : paired && next.added ? next.value : [];
		if (paired) index++;
		const kind = removed.length === 0 ? 'a' : added.length === 0 ? 'd' : 'c';
		const oldRange = removed.length === 0 ? String(oldLine - 1) : range(oldLine, removed.length);
		const newRange = added.length === 0 ? String(newLine - 1) : range(newLine, added.length);
		output += `${oldRange}${kind}${newRange}\n${removed.map((line) => shown(line, '<')).join('')}`;
		output += `${kind === 'c' ? '---\n' : ''}${added.map((line) => shown(line, '>')).join('')}`;
		oldLine += removed.length;
		newLine += added.length;
	}
	return output;
}

/** The hunks between two texts. Lines that only count as equal are shown as the old text has them. */
function hunksOf(
	before: string,
	after: string,
	ignore: (line: string) => string,
	context: number
): StructuredPatchHunk[] {
	const [old, changed] = [splitLines(before), splitLines(after)];
	const keys = (lines: readonly string[]) =>
		lines.map((line) => ignore(line).replace(/\n$/, '') + (line.endsWith('\n') ? '\n' : '')).join('');
	const { hunks } = structuredPatch('', '', keys(old), keys(changed), '', '', { context });
	for (const hunk of hunks) {
		let [oldAt, newAt] = [hunk.oldStart - 1, hunk.newStart - 1];
		hunk.lines = hunk.lines.map((line) => {
			const sign = line.slice(0, 1);
			if (sign === '\\') return line;
			const text = sign === '+' ? changed[newAt] : old[oldAt];
			if (sign !== '+') oldAt++;
			if (sign !== '-') newAt++;
			return sign + (text ?? '').replace(/\n$/, '');
		});
	}
	return hunks;
}

function unified(hunks: readonly StructuredPatchHunk[]): string {
	const range = (start: number, size: number) =>
		size === 1 ? String(start) : `${size === 0 ? start - 1 : start},${size}`;
	const texts = hunks.map((hunk) => {
		const head = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@\n`;
		return head + hunk.lines.map((line) => `${line}\n`).join('');
	});
	return texts.join('');
}

function stamp(call: Call, name: string): string {
	const stat = name === '-' ? null : call.shell.host.context.sync.statOrNull(call.shell.path(name));
	const time = new Date(stat?.modifiedMs ?? Date.now()).toISOString();
	return `${time.slice(0, 10)} ${time.slice(11, 23)}000000 +0000`;
}
