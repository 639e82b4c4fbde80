import { quotePath } from '../quote-path.ts';
import type { Repository } from '../repository.ts';
import type { Change } from './change.ts';
import { isBinary, splitLines } from './lines.ts';
import { sideContent } from './sides.ts';
import { lineChanges } from './unified-diff.ts';

const MARKER = /^(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|)( |\r?\n?$)/;

/** `git diff --check`: new lines with blanks where they do no good, and markers of conflicts. '' when there are none. */
export function blankProblems(repository: Repository, changes: readonly Change[]): string {
	return changes.map((change) => problemsOf(repository, change)).join('');
}

function problemsOf(repository: Repository, change: Change): string {
	const { before, after } = change;
	if (!after) return '';
	const [old, now] = [sideContent(repository, before), sideContent(repository, after)];
	if (isBinary(old) || isBinary(now)) return '';
	const lines = splitLines(now);
	const name = quotePath(after.path);
	let text = '';
	let shift = 0;
	let lastAdded = -1;
	for (const { beforeStart, beforeCount, afterCount } of lineChanges(splitLines(old), lines)) {
		const start = beforeStart + shift;
		shift += afterCount - beforeCount;
		for (let at = start; at < start + afterCount; at++) {
			const line = lines[at] ?? '';
			if (MARKER.test(line)) text += `${name}:${at + 1}: leftover conflict marker\n`;
			const found = wrongBlanks(line.replace(/\n$/, ''));
			if (found !== '') text += `${name}:${at + 1}: ${found}.\n+${line.replace(/\n$/, '')}\n`;
			lastAdded = at;
		}
	}
	let blank = lines.length;
	while (blank > 0 && (lines[blank - 1] ?? '').trim() === '') blank--;
	if (blank < lines.length && lastAdded === lines.length - 1 && blank > 0) {
		text += `${name}:${blank + 1}: new blank line at EOF.\n`;
	}
	return text;
}

function wrongBlanks(line: string): string {
	const trailing = /[ \t\r]$/.test(line) ? ['trailing whitespace'] : [];
	const mixed = / \t/.test(/^[ \t]*/.exec(line)?.[0] ?? '') ? ['space before tab in indent'] : [];
	return [...trailing, ...mixed].join(', ');
}
