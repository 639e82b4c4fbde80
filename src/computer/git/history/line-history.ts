import { compareTrees, pathOf, type Change } from '../diff/change.ts';
import { driversOf } from '../diff/compared-file.ts';
import { headingOf } from '../diff/driver.ts';
import type { DiffFormat } from '../diff/format.ts';
import { nameText, splitLines } from '../diff/lines.ts';
import { paintedLines, type PatchLine } from '../diff/patch-lines.ts';
import { findRenames } from '../diff/renames.ts';
import { sideContent } from '../diff/sides.ts';
import { lineChanges, type LineChange } from '../diff/unified-diff.ts';
import { fatal } from '../errors.ts';
import { quotePath } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import { findInTree } from '../worktree/tree-files.ts';
import { findRange, joinedSpans, namedRange, type LineSpan } from './line-range.ts';
import type { Revision } from './walk.ts';

/** Lines of files, by path. */
type Tracked = ReadonlyMap<string, readonly LineSpan[]>;

/** Changes of a commit to the lines of one file. */
interface LineDiff {
	change: Change;
	/** Lines of the file after the commit. */
	spans: readonly LineSpan[];
	/** Changes within those lines. */
	touched: readonly LineChange[];
	before: readonly string[];
	after: readonly string[];
}

/** History of lines (`git log -L`): commits are visited children first, and pass the lines on to their parents. */
export class LineHistory {
	readonly #tracked = new Map<string, Map<string, readonly LineSpan[]>>();
	readonly #diffs = new Map<string, readonly LineDiff[]>();

	/**
	 * @param start commit that the ranges refer to
	 * @param ranges `start,end:file` and `:function:file`
	 * @throws GitError if there are no such lines
	 */
	constructor(
		private readonly repository: Repository,
		start: string,
		ranges: readonly string[]
	) {
		const tree = repository.commit(start).tree;
		const spans = new Map<string, LineSpan[]>();
		for (const text of ranges) {
			const { range, path: given } = namedRange(text);
			const path = repository.fromCwd(given);
			const file = findInTree(repository.objects, tree, path);
			if (!file) throw fatal(`There is no path ${path} in the commit`);
			const { headings } = driversOf(repository).of(path);
			const lines = splitLines(repository.objects.read(file.id, 'blob')).map((line) => line.replace(/\n$/, ''));
			const isFunction = (line: string) => headingOf(line, headings) !== null;
			const known = spans.get(path) ?? [];
			const after = (known.at(-1)?.to ?? 0) + 1;
			spans.set(path, [...known, findRange(range, { path, lines, isFunction }, after)]);
		}
		this.#tracked.set(start, new Map([...spans].map(([path, all]) => [path, joinedSpans(all)])));
	}

	/** Visits a commit after all its children. @returns whether it changed the lines */
	touches({ id, commit }: Revision): boolean {
		const tracked = this.#tracked.get(id);
		if (!tracked) return false;
		if (commit.parents.length < 2) {
			const parent = commit.parents[0] ?? null;
			const { diffs, before } = this.#compare(parent, commit.tree, tracked);
			if (parent !== null) this.#handOn(parent, before);
			this.#diffs.set(id, diffs);
			return diffs.length > 0;
		}
		const results = commit.parents.map((parent) => ({ parent, ...this.#compare(parent, commit.tree, tracked) }));
		// If one parent has the same lines, they all come from it.
		const same = results.find(({ diffs }) => diffs.length === 0);
		for (const { parent, before } of same ? [same] : results) this.#handOn(parent, before);
		return same === undefined;
	}

	/** Patch of the commit's changes to the lines, without context, as binary text. */
	patch(id: string, format: DiffFormat): string {
		const lines = (this.#diffs.get(id) ?? []).flatMap((diff) => patchLines(diff, format));
		return paintedLines(lines, format);
	}

	#handOn(parent: string, before: Tracked): void {
		const known = this.#tracked.get(parent) ?? new Map<string, readonly LineSpan[]>();
		for (const [path, spans] of before) known.set(path, joinedSpans([...(known.get(path) ?? []), ...spans]));
		this.#tracked.set(parent, known);
	}

	/** Changes of the lines since a parent, and their positions there. */
	#compare(parent: string | null, tree: string, tracked: Tracked): { diffs: LineDiff[]; before: Tracked } {
		const { repository } = this;
		const parentTree = parent === null ? null : repository.commit(parent).tree;
		const all = compareTrees(repository.objects, parentTree, tree);
		const isAbout = (change: Change) => tracked.has(pathOf(change));
		const isNew = all.some((change) => change.status === 'A' && isAbout(change));
		const changes = (isNew ? findRenames(repository, all) : all).filter(isAbout);
		const diffs: LineDiff[] = [];
		const before = new Map<string, readonly LineSpan[]>();
		for (const [path, spans] of tracked) {
			const change = changes.find(({ after }) => after?.path === path);
			if (!change) {
				before.set(path, spans);
				continue;
			}
			const old = splitLines(sideContent(repository, change.before));
			const now = splitLines(sideContent(repository, change.after));
			const found = lineChanges(old, now, 'count', false);
			const touched = found.filter((one) => spans.some((span) => isIn(one, span)));
			if (touched.length > 0) diffs.push({ change, spans, touched, before: old, after: now });
			if (change.before) before.set(change.before.path, spansBefore(spans, found));
		}
		return { diffs, before };
	}
}

const endOf = ({ afterStart, afterCount }: LineChange): number => afterStart + afterCount;

/** Returns whether a change is in a span; a pure removal counts at its position. */
function isIn(change: LineChange, { from, to }: LineSpan): boolean {
	if (change.afterCount === 0) return change.afterStart > from && change.afterStart < to;
	return change.afterStart < to && endOf(change) > from;
}

/** Maps spans to their positions before the changes; they include the lines that a change in them replaced. */
function spansBefore(spans: readonly LineSpan[], changes: readonly LineChange[]): LineSpan[] {
	const before: LineSpan[] = [];
	for (const span of spans) {
		let at = span.from;
		let shift = 0;
		for (const change of changes) {
			if (isIn(change, span)) {
				if (change.afterStart > at) before.push({ from: at + shift, to: change.afterStart + shift });
				before.push({ from: change.beforeStart, to: change.beforeStart + change.beforeCount });
				at = Math.max(at, endOf(change));
			} else if (change.afterStart >= span.to) break;
			if (endOf(change) <= span.to) shift = change.beforeStart + change.beforeCount - endOf(change);
		}
		if (at < span.to) before.push({ from: at + shift, to: span.to + shift });
	}
	return joinedSpans(before);
}

function patchLines({ change, spans, touched, before, after }: LineDiff, format: DiffFormat): PatchLine[] {
	const name = (side: Change['before'], prefix: string) => nameText(quotePath(prefix + (side?.path ?? pathOf(change))));
	const [from, to] = [name(change.before, format.prefixes[0]), name(change.after, format.prefixes[1])];
	const lines: PatchLine[] = [
		{ kind: 'meta', text: `diff --git ${from} ${to}\n` },
		{ kind: 'meta', text: `--- ${change.before ? from : '/dev/null'}\n+++ ${change.after ? to : '/dev/null'}\n` }
	];
	// A change that extends into the next span is shown in the one where it starts.
	let left = touched;
	for (const span of spans) {
		lines.push(...spanLines(span, left, before, after));
		left = left.filter(({ afterStart }) => afterStart >= span.to);
	}
	return lines;
}

/** Formats a span as a separate hunk. */
function spanLines(
	span: LineSpan,
	touched: readonly LineChange[],
	before: readonly string[],
	after: readonly string[]
): PatchLine[] {
	const own = touched.filter((change) => change.afterStart < span.to && endOf(change) >= span.from);
	const [first] = own;
	const last = own.at(-1);
	if (!first || !last) return [];
	const lastEnd = last.beforeStart + last.beforeCount;
	let start = span.from < first.afterStart ? first.beforeStart - (first.afterStart - span.from) : first.beforeStart;
	let end = span.to > endOf(last) ? lastEnd + (span.to - endOf(last)) : lastEnd;
	if (start === 0 && end === 0) [start, end] = [-1, -1];
	const range = `@@ -${start + 1},${end - start} +${span.from + 1},${span.to - span.from} @@`;
	const lines: PatchLine[] = [{ kind: 'hunk', range, heading: '' }];
	const rule = PLAIN_RULE;
	const push = (kind: 'old' | 'new' | 'context', text: string) => {
		lines.push({ kind, text, rule, isBlankEnd: false });
		if (!text.endsWith('\n')) lines.push({ kind: 'no newline' });
	};
	let at = span.from;
	for (const change of own) {
		for (; at < change.afterStart; at++) push('context', after[at]!);
		for (let i = 0; i < change.beforeCount; i++) push('old', before[change.beforeStart + i]!);
		for (; at < Math.min(endOf(change), span.to); at++) push('new', after[at]!);
	}
	for (; at < span.to; at++) push('context', after[at]!);
	return lines;
}

/** Shows lines as they are, without marking whitespace errors. */
const PLAIN_RULE = {
	atLineEnd: false,
	atFileEnd: false,
	spaceBeforeTab: false,
	spacesForTab: false,
	tabInIndent: false,
	allowsCr: false,
	tabWidth: 8
};
