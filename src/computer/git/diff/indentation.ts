const MOST_SLIDING = 100;
const MOST_BLANKS = 20;
const MOST_INDENT = 200;

/** Weight of indentation relative to the penalty. */
const INDENT_WEIGHT = 60;

/**
 * Chooses where to show a run of changed lines that can slide: where the indentation indicates the start or end of a
 * block, as in git.
 */
export function endByIndentation(lines: readonly string[], latest: number, size: number, earliest: number): number {
	let best = -1;
	let bestScore = { indent: 0, penalty: 0 };
	for (let end = Math.max(earliest, latest - size - 1, latest - MOST_SLIDING); end <= latest; end++) {
		const score = { indent: 0, penalty: 0 };
		addSplit(lines, end, score);
		addSplit(lines, end - size, score);
		const order = INDENT_WEIGHT * Math.sign(score.indent - bestScore.indent) + (score.penalty - bestScore.penalty);
		if (best < 0 || order <= 0) {
			best = end;
			bestScore = score;
		}
	}
	return best;
}

/** Cost of starting or ending a run before line `at`. */
function addSplit(lines: readonly string[], at: number, score: { indent: number; penalty: number }): void {
	const atEnd = at >= lines.length;
	const own = atEnd ? -1 : indentOf(lines[at]!);
	const before = nextIndent(lines, at - 1, -1);
	const after = nextIndent(lines, at + 1, 1);
	if (before.indent === -1 && before.blanks === 0) score.penalty += 1;
	if (atEnd) score.penalty += 21;
	const blanksAfter = own === -1 ? 1 + after.blanks : 0;
	const blanks = before.blanks + blanksAfter;
	score.penalty += -30 * blanks + 6 * blanksAfter;
	const indent = own === -1 ? after.indent : own;
	score.indent += indent;
	if (indent === -1 || before.indent === -1 || indent === before.indent) return;
	if (indent > before.indent) score.penalty += blanks > 0 ? 10 : -4;
	else if (after.indent !== -1 && after.indent > indent) score.penalty += blanks > 0 ? 17 : 24;
	else score.penalty += blanks > 0 ? 17 : 23;
}

function nextIndent(lines: readonly string[], from: number, step: number): { indent: number; blanks: number } {
	let blanks = 0;
	for (let i = from; i >= 0 && i < lines.length; i += step) {
		const indent = indentOf(lines[i]!);
		if (indent !== -1) return { indent, blanks };
		if (++blanks === MOST_BLANKS) return { indent: 0, blanks };
	}
	return { indent: -1, blanks };
}

/** Columns of leading whitespace; -1 for a blank line. */
function indentOf(line: string): number {
	let columns = 0;
	for (const letter of line) {
		if (letter === ' ') columns++;
		else if (letter === '\t') columns += 8 - (columns % 8);
		else if (!/\s/.test(letter)) return columns;
		if (columns >= MOST_INDENT) return MOST_INDENT;
	}
	return -1;
}
