import { splitLines } from '#environment/lines.ts';
import { Mode } from '#environment/mode.ts';
import { NULL_ID } from '../objects/object.ts';
import type { Change } from '../diff/change.ts';
import type { DiffColors, DiffSlot } from '../diff/colors.ts';
import { driversOf } from '../diff/compared-file.ts';
import { headingOf } from '../diff/driver.ts';
import type { DiffFormat } from '../diff/format.ts';
import { hunksOf, type Hunk } from '../diff/hunks.ts';
import type { HeadingRule } from '../diff/languages.ts';
import { binaryBytes, nameText } from '../diff/lines.ts';
import { showsChanges } from '../diff/options.ts';
import { paintedLines, type PatchLine } from '../diff/patch-lines.ts';
import { printChanges } from '../diff/print.ts';
import { ruledChanges } from '../diff/unified-diff.ts';
import type { Range } from '../history/walk.ts';
import type { Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { matchedPatches } from './matched-patches.ts';
import { seriesPatches, type SeriesHow, type SeriesPatch } from './series-patches.ts';

/** Default cost of a new patch, as a percentage of its size. */
export const USUAL_CREATION = 60;

/** Options for comparing two series. */
interface RangeDiffHow extends SeriesHow {
	creation: number;
	format: DiffFormat;
	/** Uses two colors per line: for the change between the series, and for the change in the patch. */
	isDual: boolean;
	/** Side whose unmatched patches are shown; both by default. */
	only?: 'old' | 'new' | undefined;
}

/** Compares two series of commits, patch by patch. Binary text. */
export function rangeDiff(git: Invocation, ranges: readonly [old: Range, now: Range], how: RangeDiffHow): string {
	const [before, after] = [seriesPatches(git, ranges[0], how), seriesPatches(git, ranges[1], how)];
	const newOf = matchedPatches(before, after, how.creation);
	const oldOf = new Map([...newOf].map(([old, now]) => [now, old]));
	const printer = new PairPrinter(git, before, after, how);
	let text = '';
	let left = 0;
	// Removed patches are shown after the patches that they followed.
	const passGone = (): void => {
		for (; left < before.length; left++) {
			if (newOf.has(left)) {
				if (!shown.has(left)) return;
			} else if (how.only !== 'new') text += printer.pair(left, null);
		}
	};
	const shown = new Set<number>();
	for (let at = 0; at < after.length; at++) {
		passGone();
		const old = oldOf.get(at);
		if (old !== undefined) {
			text += printer.pair(old, at);
			shown.add(old);
		} else if (how.only !== 'old') text += printer.pair(null, at);
	}
	passGone();
	return text;
}

const HEADINGS: readonly HeadingRule[] = [{ take: /^ ## (.*) ##$/ }, { take: /^.?@@ (.*)$/ }];
const INDENT = '    ';
const REVERSE = '\u001B[7m';

class PairPrinter {
	readonly #width: number;
	#dashes = '';

	constructor(
		private readonly git: Invocation,
		private readonly before: readonly SeriesPatch[],
		private readonly after: readonly SeriesPatch[],
		private readonly how: RangeDiffHow
	) {
		this.#width = String(1 + Math.max(before.length, after.length)).length;
	}

	/** Summary line for a pair of patches, and their differences. */
	pair(old: number | null, now: number | null): string {
		const [one, other] = [old === null ? null : this.before[old]!, now === null ? null : this.after[now]!];
		const line = this.#line(old, now, one, other);
		return line + (one && other ? this.#difference(one.text, other.text) : '');
	}

	#line(old: number | null, now: number | null, one: SeriesPatch | null, other: SeriesPatch | null): string {
		const { objects } = this.git.repository;
		const { colors } = this.how.format;
		const { id, commit } = (one ?? other)!.revision;
		if (this.#dashes === '') this.#dashes = '-'.repeat(objects.abbreviate(id).length);
		const status = !other ? '<' : !one ? '>' : one.text === other.text ? '=' : '!';
		const side = (at: number | null, patch: SeriesPatch | null) =>
			`${(at === null ? '-' : String(at + 1)).padStart(this.#width)}:  ${patch ? objects.abbreviate(patch.revision.id) : this.#dashes}`;
		const [left, right] = [side(old, one), side(now, other)];
		const subject = nameText(subjectOf(commit.message));
		const paint = (slot: DiffSlot | 'reset') => colors?.[slot] ?? '';
		if (status !== '!')
			return `${paint(status === '<' ? 'old' : status === '>' ? 'new' : 'commit')}${left} ${status} ${right} ${subject}${paint('reset')}\n`;
		const change = (to: DiffSlot) => paint('reset') + paint(to);
		return `${paint('old')}${left} ${change('commit')}!${change('new')} ${right}${change('commit')} ${subject}${paint('reset')}\n`;
	}

	#difference(before: string, after: string): string {
		const { repository } = this.git;
		const { format } = this.how;
		if (before === after) return '';
		let text = '';
		if (showsChanges({ ...format, patch: false })) {
			const side = (path: string, id: string, content: string) => ({
				...{ path, id, mode: Mode.file, inWorktree: false },
				content: binaryBytes(content)
			});
			const sides = { before: side('a', NULL_ID, before), after: side('b', '', after) };
			const change: Change = { status: 'R', ...sides, similarity: 0 };
			text += printChanges(repository, [change], { ...format, patch: false, linePrefix: INDENT });
		}
		if (!format.patch) return text;
		if (text !== '') text += `${INDENT}\n`;
		const lines = this.#lines(splitLines(before), splitLines(after));
		const { colors } = format;
		if (this.how.isDual && colors) return text + lines.map((line) => INDENT + dualLine(line, colors)).join('');
		return text + paintedLines(lines, { ...format, linePrefix: INDENT });
	}

	#lines(before: readonly string[], after: readonly string[]): PatchLine[] {
		const { format } = this.how;
		const headingOfLine = (line: string) => headingOf(line, HEADINGS);
		const shape = {
			context: format.context,
			between: format.between,
			functions: format.functions,
			headingOf: headingOfLine
		};
		const rule = driversOf(this.git.repository).whitespace('a');
		const content = (kind: 'old' | 'new' | 'context', text: string): PatchLine => ({
			kind,
			text,
			rule,
			isBlankEnd: false
		});
		const hunkLines = ({ heading, from, to, changes }: Hunk): PatchLine[] => {
			const lines: PatchLine[] = [{ kind: 'hunk', range: '@@', heading }];
			let at = from;
			for (const { beforeStart, beforeCount, afterStart, afterCount } of changes) {
				lines.push(...before.slice(at, beforeStart).map((line) => content('context', line)));
				at = beforeStart + beforeCount;
				lines.push(...before.slice(beforeStart, at).map((line) => content('old', line)));
				lines.push(...after.slice(afterStart, afterStart + afterCount).map((line) => content('new', line)));
			}
			lines.push(...before.slice(at, to).map((line) => content('context', line)));
			return lines;
		};
		return hunksOf(before, after, ruledChanges(before, after, format.lines), shape).flatMap(hunkLines);
	}
}

/** Colors a line: its sign shows the change between the series, its text the change in the patch. */
function dualLine(line: PatchLine, colors: DiffColors): string {
	const { reset } = colors;
	if (line.kind === 'hunk') {
		const heading = line.heading === '' ? '' : `${colors.context} ${reset}${colors.func}${line.heading}${reset}`;
		return `${REVERSE}${colors.frag}${line.range}${reset}${heading}\n`;
	}
	if (line.kind !== 'old' && line.kind !== 'new' && line.kind !== 'context') return '';
	const text = line.text.replace(/\n$/, '');
	const mark = text[0];
	if (line.kind === 'context') {
		const color = colors[mark === '+' ? 'new' : mark === '@' ? 'frag' : mark === '-' ? 'old' : 'context'];
		return `${color} ${text}${reset}\n`;
	}
	const shade = line.kind === 'old' ? 'Dimmed' : 'Bold';
	const inner = mark === '@' ? 'frag' : (`${mark === '-' ? 'old' : mark === '+' ? 'new' : 'context'}${shade}` as const);
	const sign = `${REVERSE}${colors[line.kind]}${line.kind === 'old' ? '-' : '+'}`;
	return `${sign}${text === '' ? '' : `${reset}${colors[inner]}${text}`}${reset}\n`;
}
