import { type Block, blockLines, type Three } from './three-way.ts';

/** Rules for changes from the second file to the third that are merged into the first. */
export interface MergeRules {
	/** Merges changes that do not overlap. */
	takesEasy: boolean;
	/** Merges overlapping changes. */
	takesOverlaps: boolean;
	/** Puts conflict markers around overlapping changes. */
	brackets: boolean;
	/** Shows the second file between the markers too, and also marks changes that are the same in both. */
	showsAll: boolean;
}

type Labels = readonly [string, string, string];

/** Treatment of a block in the result. */
type Treatment = 'keep' | 'take' | 'conflict' | 'same change';

function treatmentOf({ odd }: Block, rules: MergeRules): Treatment {
	if (odd === 0) return 'keep';
	if (odd === 1) return rules.showsAll ? 'same change' : 'keep';
	if (odd === 2) return rules.takesEasy ? 'take' : 'keep';
	if (rules.brackets) return 'conflict';
	return rules.takesOverlaps ? 'take' : 'keep';
}

/** Makes the merged file (`-m`), and returns whether it has conflicts. */
export function mergedText(
	files: Three,
	blocks: readonly Block[],
	rules: MergeRules,
	[mine, old, yours]: Labels
): { text: string; hasConflicts: boolean } {
	let [text, at, hasConflicts] = ['', 0, false];
	for (const block of blocks) {
		const treatment = treatmentOf(block, rules);
		if (treatment === 'keep') continue;
		text += files[0].slice(at, block.start[0]).join('');
		at = block.start[0] + block.count[0];
		const lines = (side: 0 | 1 | 2) => blockLines(files, block, side).join('');
		if (treatment === 'take') {
			text += lines(2);
			continue;
		}
		hasConflicts = true;
		if (treatment === 'same change') text += `<<<<<<< ${old}\n${lines(1)}`;
		else text += `<<<<<<< ${mine}\n${lines(0)}${rules.showsAll ? `||||||| ${old}\n${lines(1)}` : ''}`;
		text += `=======\n${lines(2)}>>>>>>> ${yours}\n`;
	}
	return { text: text + files[0].slice(at).join(''), hasConflicts };
}

/** Makes an `ed` script that turns the first file into the merged one, and returns whether that has conflicts. */
export function mergeScript(
	files: Three,
	blocks: readonly Block[],
	rules: MergeRules,
	labels: Labels
): { text: string; hasConflicts: boolean } {
	let [text, hasConflicts] = ['', false];
	for (const block of blocks.toReversed()) {
		const treatment = treatmentOf(block, rules);
		if (treatment === 'keep') continue;
		if (treatment === 'take') {
			text += takingScript(files, block);
			continue;
		}
		hasConflicts = true;
		text += bracketScript(files, block, { ...rules, isConflict: treatment === 'conflict' }, labels);
	}
	return { text, hasConflicts };
}

function takingScript(files: Three, block: Block): string {
	const [first, count] = [block.start[0] + 1, block.count[0]];
	const last = first + count - 1;
	const range = count > 1 ? `${first},${last}` : String(count === 0 ? first - 1 : first);
	const lines = blockLines(files, block, 2);
	if (lines.length === 0) return `${range}d\n`;
	const { text, hasPoints } = safe(lines);
	const start = count === 0 ? last + 1 : first;
	return `${range}${count === 0 ? 'a' : 'c'}\n${text}.\n${hasPoints ? unescape(start, start + lines.length - 1) : ''}`;
}

function bracketScript(
	files: Three,
	block: Block,
	{ showsAll, isConflict }: { showsAll: boolean; isConflict: boolean },
	[mine, old, yours]: Labels
): string {
	const last = block.start[0] + block.count[0];
	const [middle, theirs] = [safe(blockLines(files, block, 1)), safe(blockLines(files, block, 2))];
	const unescaped = ({ hasPoints }: { hasPoints: boolean }, at: number, count: number): string =>
		hasPoints ? unescape(at + 2, at + 2 + count) : '';
	if (!isConflict)
		return (
			`${last}a\n>>>>>>> ${yours}\n.\n${block.start[0]}a\n<<<<<<< ${old}\n${middle.text}=======\n.\n` +
			unescaped(middle, block.start[0], block.count[1] - 1)
		);
	return (
		`${last}a\n${showsAll ? `||||||| ${old}\n${middle.text}` : ''}=======\n${theirs.text}>>>>>>> ${yours}\n.\n` +
		unescaped(
			{ hasPoints: theirs.hasPoints || (showsAll && middle.hasPoints) },
			last,
			block.count[1] + block.count[2]
		) +
		`${block.start[0]}a\n<<<<<<< ${mine}\n.\n`
	);
}

/** Escapes text for `ed`: doubles a point at the start of a line. */
function safe(lines: readonly string[]): { text: string; hasPoints: boolean } {
	const hasPoints = lines.some((line) => line.startsWith('.'));
	const shown = lines.map((line) => (line.startsWith('.') ? `.${line}` : line));
	return { text: shown.map((line) => (line.endsWith('\n') ? line : `${line}\n`)).join(''), hasPoints };
}

const unescape = (first: number, last: number): string => `${first}${last > first ? `,${last}` : ''}s/^\\.//\n`;
