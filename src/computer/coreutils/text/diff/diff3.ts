import { splitLines } from '#environment/lines.ts';
import { decode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { Interrupted } from '#computer/shell/state/control.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { readWhole } from '../../input/whole-file.ts';
import { type Options, UsageError, utility } from '../../options.ts';
import { lineRange } from './changes.ts';
import { mergedText, type MergeRules, mergeScript } from './merge-output.ts';
import { type Block, blockLines, blocksOf, type Three } from './three-way.ts';

const [DONE, CONFLICTS, TROUBLE] = [0, 1, 2];
const MOST_LABELS = 3;

/** `diff3`: compares three files, or merges the changes between two of them into another. */
export const diff3 = utility(
	'A|show-all e|ed E|show-overlap 3|easy-only x|overlap-only X i m|merge a|text strip-trailing-cr T|initial-tab ' +
		'diff-program= L|label=',
	async (call, options) => {
		const names = namesOf(options);
		const rules = rulesOf(options);
		const isScript = rules !== null && !options.has('m');
		const common = commonOf(names, rules === null ? 2 : 1);
		const files = await read(call, names, options);
		if (!files) return TROUBLE;
		const blocks = blocksOf(files, common);
		if (!rules) {
			await call.out(blocks.map((block) => blockText(files, block, options.has('T'))).join(''));
			return DONE;
		}
		const labels = options.all('L');
		const titles = [labels[0] ?? names[0], labels[1] ?? names[1], labels[2] ?? names[2]] as const;
		if (isScript) await complainOfEnds(call, files);
		const { text, hasConflicts } = (isScript ? mergeScript : mergedText)(files, blocks, rules, titles);
		await call.out(text + (isScript && options.has('i') ? 'w\nq\n' : ''));
		return hasConflicts ? CONFLICTS : DONE;
	},
	TROUBLE
);

type Names = readonly [string, string, string];

/** @throws UsageError */
function namesOf(options: Options): Names {
	const [mine, old, yours, extra] = options.operands;
	const forms = options.given.filter(({ name }) => /^[AeE3xX]$/.test(name)).length;
	const isMerge = forms > 0 || options.has('m');
	if (options.all('L').length > MOST_LABELS) throw new UsageError('too many file label options', true);
	if (forms > 1 || (options.has('L') && !isMerge) || (options.has('i') && options.has('m')))
		throw new UsageError('incompatible options', true);
	if (mine === undefined || old === undefined || yours === undefined)
		throw new UsageError(`missing operand after '${options.operands.at(-1) ?? 'diff3'}'`);
	if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
	return [mine, old, yours];
}

/** Chooses the file that both others are compared with, which cannot be standard input. @throws UsageError */
function commonOf(names: Names, wanted: 1 | 2): 1 | 2 {
	if (names.filter((name) => name === '-').length > 1)
		throw new UsageError("'-' specified for more than one input file", false);
	if (names[wanted] !== '-') return wanted;
	return wanted === 1 ? 2 : 1;
}

function rulesOf(options: Options): MergeRules | null {
	const form = options.last('A', 'e', 'E', '3', 'x', 'X') ?? (options.has('m') ? 'A' : null);
	if (form === null) return null;
	return {
		takesEasy: !/[xX]/.test(form),
		takesOverlaps: form !== '3',
		brackets: /[AE]/.test(form),
		showsAll: form === 'A'
	};
}

/** Reads the lines of the files; null after an error was reported. */
async function read(call: Call, names: Names, options: Options): Promise<Three | null> {
	const files: string[] = [];
	for (const name of names) {
		try {
			const { control, descriptors } = call.shell;
			const bytes =
				name === '-' ? await control.race(descriptors.require(0).readAll()) : await readWhole(call.shell, name);
			files.push(decode(bytes));
		} catch (error) {
			if (error instanceof Interrupted) throw error;
			await call.complain(`${name}: ${reason(error)}`);
			return null;
		}
	}
	const isBinary = (text: string | undefined): boolean => !options.has('a') && text?.includes('\0') === true;
	for (const [one, other] of [
		[0, 2],
		[1, 2]
	] as const)
		if (files[one] !== files[other] && (isBinary(files[one]) || isBinary(files[other]))) {
			await call.complain(`diff failed: Binary files ${names[one]} and ${names[other]} differ`);
			return null;
		}
	const [mine = [], old = [], yours = []] = files.map((text) =>
		splitLines(options.has('strip-trailing-cr') ? text.replaceAll('\r\n', '\n') : text)
	);
	return [mine, old, yours];
}

/** Formats a block with the lines of each file; those equal to a file shown later are omitted. */
function blockText(files: Three, block: Block, hasTab: boolean): string {
	const { odd, start, count } = block;
	const order = odd === 1 ? ([0, 2, 1] as const) : ([0, 1, 2] as const);
	const silent = odd === null ? null : odd === 0 ? 1 : 0;
	let text = `====${odd === null ? '' : odd + 1}\n`;
	for (const side of order) {
		const letter = count[side] === 0 ? 'a' : 'c';
		text += `${side + 1}:${lineRange(start[side], count[side])}${letter}\n`;
		if (side === silent) continue;
		for (const line of blockLines(files, block, side))
			text += `${hasTab ? '\t' : '  '}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`;
	}
	return text;
}

/** A script cannot express a missing newline at the end. */
async function complainOfEnds(call: Call, files: Three): Promise<void> {
	for (const side of [1, 0, 1, 2] as const)
		if (files[side].at(-1)?.endsWith('\n') === false) await call.complain('No newline at end of file');
}
