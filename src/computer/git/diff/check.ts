import { quotePath } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import type { Change } from './change.ts';
import { comparedFile, driversOf } from './compared-file.ts';
import type { DiffColors } from './colors.ts';
import { nameText, splitLines } from './lines.ts';
import { lineChanges } from './unified-diff.ts';
import { checkBlanks, isBlankLine, problemNames } from './whitespace-rule.ts';

/** Default length of a conflict marker. */
const MARKER_SIZE = 7;

/** Output of `git diff --check`: new lines with whitespace errors, and conflict markers. '' if there are none. */
export function blankProblems(
	repository: Repository,
	changes: readonly Change[],
	colors: DiffColors | null = null,
	prefix = ''
): string {
	const text = changes.map((change) => problemsOf(repository, change, colors)).join('');
	return prefix === '' ? text : text.replace(/^(?=[^])/gm, prefix);
}

function problemsOf(repository: Repository, change: Change, colors: DiffColors | null): string {
	const { after } = change;
	if (!after) return '';
	const file = comparedFile(repository, { ...change, before: null }, { text: false });
	if (file.isBinary) return '';
	const { before } = comparedFile(repository, change, { text: false });
	const [old, lines] = [splitLines(before), splitLines(file.after)];
	const size = driversOf(repository).markerSize(after.source ?? after.path) ?? MARKER_SIZE;
	const isMarker = (line: string) =>
		line.length > size && /^[<=>|]/.test(line) && line.startsWith(line[0]!.repeat(size)) && /\s/.test(line[size]!);
	const name = nameText(quotePath(after.path));
	let text = '';
	for (const { afterStart, afterCount } of lineChanges(old, lines)) {
		for (let at = afterStart; at < afterStart + afterCount; at++) {
			const line = lines[at]!;
			if (isMarker(line)) text += `${name}:${at + 1}: leftover conflict marker\n`;
			const { problems, parts } = checkBlanks(line.replace(/\n$/, ''), file.whitespace);
			const found = problemNames(problems);
			if (found === '') continue;
			const painted = parts.map((part) => paintedPart(part, colors)).join('');
			const sign = colors ? `${colors.new}+${colors.reset}` : '+';
			text += `${name}:${at + 1}: ${found}.\n${sign}${painted}\n`;
		}
	}
	const [blank, blankBefore] = [trailingBlanks(lines), trailingBlanks(old)];
	if (file.whitespace.atFileEnd && blank > blankBefore)
		text += `${name}:${lines.length - blank + 1}: new blank line at EOF.\n`;
	return text;
}

/** Number of trailing blank lines. The first line of a file never counts. */
function trailingBlanks(lines: readonly string[]): number {
	let at = lines.length;
	while (at > 1 && isBlankLine(lines[at - 1]!)) at--;
	return lines.length - at;
}

function paintedPart({ text, kind }: { text: string; kind: string }, colors: DiffColors | null): string {
	if (!colors || kind === 'indent' || kind === 'end') return text;
	return `${kind === 'wrong' ? colors.whitespace : colors.new}${text}${colors.reset}`;
}
