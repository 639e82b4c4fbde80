import { equalBytes } from '../bytes.ts';
import { NULL_ID } from '../objects/object.ts';
import { modeText } from '../objects/tree.ts';
import { quotePath, quotePrefixed } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import { binaryPatch } from './binary-patch.ts';
import { isSubmodule, pathOf, type Change } from './change.ts';
import { comparedFile, type ComparedFile } from './compared-file.ts';
import { headingOf } from './driver.ts';
import type { DiffFormat } from './format.ts';
import { hunksOf, type Hunk } from './hunks.ts';
import { nameText, splitLines } from './lines.ts';
import { conflictPatch } from './merge-patch.ts';
import type { PatchLine } from './patch-lines.ts';
import { submoduleLines } from './submodule-lines.ts';
import { ruledChanges } from './unified-diff.ts';
import { isBlankLine, type WhitespaceRule } from './whitespace-rule.ts';
import { WordDiff } from './words.ts';

const meta = (text: string): PatchLine => ({ kind: 'meta', text });

/** The diff of one file, from `diff --git` on. */
export function filePatchLines(repository: Repository, change: Change, format: DiffFormat): PatchLine[] {
	const { status, before, after } = change;
	if (status === 'U' && change.remarks) return headOf(repository, change, format).lines;
	if (status === 'U') {
		const conflict = format.combined ? conflictPatch(repository, pathOf(change), format) : null;
		return [{ kind: 'raw', text: conflict ?? `* Unmerged path ${nameText(quotePath(pathOf(change)))}\n` }];
	}
	// A change of the file type is shown as a deletion and a creation.
	if (status === 'T') {
		const [gone, come]: Change[] = [
			{ ...change, status: 'D', after: null },
			{ ...change, status: 'A', before: null }
		];
		return [...filePatchLines(repository, gone!, format), ...filePatchLines(repository, come!, format)];
	}
	if (format.submodule !== 'short' && isSubmodule(change))
		return submoduleLines(repository, change, format, filePatchLines);
	const head = headOf(repository, change, format);
	const isDirty = before?.dirt !== undefined || after?.dirt !== undefined;
	if ((before?.id ?? NULL_ID) === (after?.id ?? NULL_ID) && !change.isRewrite && !isDirty)
		return head.isNeeded ? head.lines : [];
	if (status === 'D' && format.irreversible) return head.lines;
	const file = comparedFile(repository, change, format);
	if (file.isBinary) {
		if (equalBytes(file.before, file.after)) return head.isNeeded ? head.lines : [];
		const text = format.binary
			? binaryPatch(file.before, file.after)
			: `Binary files ${head.from} and ${head.to} differ\n`;
		return [...head.lines, { kind: 'raw', text }];
	}
	const content = change.isRewrite ? rewriteLines(file, format) : contentLines(file, format);
	if (content.length === 0) return head.isNeeded ? head.lines : [];
	const tab = (name: string) => (name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name);
	return [...head.lines, meta(`--- ${tab(head.from)}\n+++ ${tab(head.to)}\n`), ...content];
}

/** Header of a file's patch, the names of both sides, and whether to show it even without changed lines. */
function headOf(repository: Repository, change: Change, format: DiffFormat) {
	const { status, before, after, similarity } = change;
	const name = (side: Change['before']) => (side?.path ?? pathOf(change)).replace(/^\//, '');
	const from = nameText(quotePrefixed(format.prefixes[0], name(before)));
	const to = nameText(quotePrefixed(format.prefixes[1], name(after)));
	let text = `diff --git ${from} ${to}\n`;
	let isNeeded = true;
	if (status === 'U') isNeeded = true;
	else if (!before) text += `new file mode ${modeText(after!.mode)}\n`;
	else if (!after) text += `deleted file mode ${modeText(before.mode)}\n`;
	else if (before.mode !== after.mode) text += `old mode ${modeText(before.mode)}\nnew mode ${modeText(after.mode)}\n`;
	else isNeeded = false;
	if (change.isRewrite) text += `dissimilarity index ${similarity}%\n`;
	else if (status === 'R' || status === 'C') {
		const word = status === 'R' ? 'rename' : 'copy';
		text += `similarity index ${similarity}%\n${word} from ${nameText(quotePath(before!.path))}\n${word} to ${nameText(quotePath(after!.path))}\n`;
	}
	isNeeded ||= change.isRewrite === true || status === 'R' || status === 'C';
	if (change.remarks) {
		text += change.remarks.map((line) => `${nameText(line)}\n`).join('');
		isNeeded = true;
	}
	if (status === 'U') return { lines: [meta(text)], from, to, isNeeded };
	const [beforeId, afterId] = [before?.id ?? NULL_ID, after?.id ?? NULL_ID];
	if (beforeId !== afterId) {
		const isWhole =
			format.fullIds === true ||
			format.fullIds === 'patch' ||
			(format.binary && comparedFile(repository, change, format).isBinary);
		const mode = before && after && before.mode === after.mode ? ` ${modeText(after.mode)}` : '';
		text += `index ${shownId(repository, beforeId, format, isWhole)}..${shownId(repository, afterId, format, isWhole)}${mode}\n`;
	}
	return { lines: [meta(text)], from: before ? from : '/dev/null', to: after ? to : '/dev/null', isNeeded };
}

function shownId({ objects }: Repository, id: string, { digits }: DiffFormat, isWhole: boolean): string {
	if (isWhole) return id;
	return id === NULL_ID ? '0'.repeat(objects.abbreviate(NULL_ID, digits).length) : objects.abbreviate(id, digits);
}

/** Hunks of a text change. */
function contentLines(file: ComparedFile, format: DiffFormat): PatchLine[] {
	const [before, after] = [splitLines(file.before), splitLines(file.after)];
	const hunks = hunksOf(before, after, ruledChanges(before, after, format.lines), {
		context: format.context,
		between: format.between,
		functions: format.functions,
		headingOf: (line) => headingOf(line, file.driver.headings)
	});
	const writer = new HunkWriter(before, after, file.whitespace);
	if (!format.words) return hunks.flatMap((hunk) => [rangeLine(hunk), ...writer.lines(hunk)]);
	const { words, usual, mode } = format.words;
	const shown = new WordDiff(mode, words ?? file.driver.words ?? usual, format.colors);
	return hunks.flatMap((hunk) => [rangeLine(hunk), ...wordLines(writer.lines(hunk), shown)]);
}

const rangeText = (start: number, count: number) =>
	`${count === 0 ? start : start + 1}${count === 1 ? '' : `,${count}`}`;

function rangeLine({ from, to, fromAfter, toAfter, heading }: Hunk): PatchLine {
	const range = `@@ -${rangeText(from, to - from)} +${rangeText(fromAfter, toAfter - fromAfter)} @@`;
	return { kind: 'hunk', range, heading };
}

/** Shows a rewrite: all old lines are removed, and all new ones are added. */
function rewriteLines(file: ComparedFile, format: DiffFormat): PatchLine[] {
	const [before, after] = [splitLines(file.before), splitLines(file.after)];
	const count = (lines: readonly string[]) =>
		lines.length === 0 ? '0,0' : lines.length === 1 ? '1' : `1,${lines.length}`;
	const range = `@@ -${format.irreversible ? '?,?' : count(before)} +${count(after)} @@`;
	const writer = new HunkWriter(before, after, file.whitespace);
	return [
		{ kind: 'hunk', range, heading: '' },
		...(format.irreversible ? [] : before.flatMap((_, i) => writer.old(i))),
		...after.flatMap((_, i) => writer.new(i, before.length))
	];
}

/** Produces the lines of hunks with their signs. */
class HunkWriter {
	readonly #oldEnd: number;
	readonly #newEnd: number;

	constructor(
		private readonly before: readonly string[],
		private readonly after: readonly string[],
		private readonly rule: WhitespaceRule
	) {
		const [old, now] = [blankEnd(before), blankEnd(after)];
		// Trailing blank lines are an error only if there are more than before.
		const isMore = rule.atFileEnd && after.length - now > before.length - old;
		this.#oldEnd = isMore ? old : before.length;
		this.#newEnd = isMore ? now : after.length;
	}

	lines({ from, to, fromAfter, changes }: Hunk): PatchLine[] {
		const lines: PatchLine[] = [];
		let j = fromAfter;
		let i = from;
		for (const change of changes) {
			// If whitespace is ignored, context lines may differ between the sides; git shows the new one.
			for (; j < change.afterStart; j++, i++) lines.push(...this.#context(j));
			i = change.beforeStart;
			for (let k = 0; k < change.beforeCount; k++) lines.push(...this.old(i++));
			for (let k = 0; k < change.afterCount; k++) lines.push(...this.new(j++, i));
		}
		for (; i < to; i++) lines.push(...this.#context(j++));
		return lines;
	}

	old(at: number): PatchLine[] {
		return this.#line('old', this.before[at]!, false);
	}

	/** @param beside position on the old side */
	new(at: number, beside: number): PatchLine[] {
		return this.#line('new', this.after[at]!, at >= this.#newEnd && beside >= this.#oldEnd);
	}

	#context(at: number): PatchLine[] {
		return this.#line('context', this.after[at]!, false);
	}

	#line(kind: 'old' | 'new' | 'context', text: string, isBlankEnd: boolean): PatchLine[] {
		const line: PatchLine = { kind, text, rule: this.rule, isBlankEnd };
		return text.endsWith('\n') ? [line] : [line, { kind: 'no newline' }];
	}
}

/** Position of the first trailing blank line. */
function blankEnd(lines: readonly string[]): number {
	let at = lines.length;
	while (at > 0 && isBlankLine(lines[at - 1]!)) at--;
	return at;
}

function wordLines(lines: readonly PatchLine[], words: WordDiff): PatchLine[] {
	const shown: PatchLine[] = [];
	let [before, after] = ['', ''];
	const flush = (): void => {
		if (before !== '' || after !== '') shown.push({ kind: 'raw', text: words.changed(before, after) });
		before = after = '';
	};
	const ended = (text: string) => (text.endsWith('\n') ? text : `${text}\n`);
	for (const line of lines) {
		if (line.kind === 'old') before += ended(line.text);
		else if (line.kind === 'new') after += ended(line.text);
		else if (line.kind === 'context') {
			flush();
			shown.push({ kind: 'raw', text: words.context(line.text) });
		}
	}
	flush();
	return shown;
}
