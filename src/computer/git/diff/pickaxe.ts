import { encode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import { lineRegex } from '../history/regex.ts';
import type { Options } from '../options.ts';
import { resolveRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import type { Change } from './change.ts';
import { comparedFile } from './compared-file.ts';
import { binaryText, splitLines } from './lines.ts';
import { lineChanges } from './unified-diff.ts';

/** Options that select changes by their content. */
export const PICKAXE_OPTIONS = {
	pickaxe: '-S =',
	pickaxeRegex: '-G =',
	pickaxeIsRegex: '--pickaxe-regex',
	pickaxeAll: '--pickaxe-all',
	findObject: '--find-object =',
	text: '-a --text'
};

type PickaxeOptions = Options<keyof typeof PICKAXE_OPTIONS>;

/**
 * Creates a filter for changes from `-S`, `-G` and `--find-object`; null if none of them is given.
 *
 * @throws GitError if they cannot be combined, or a pattern is invalid
 */
export function pickaxeTest(
	repository: Repository,
	options: PickaxeOptions,
	ignoresCase = false
): ((change: Change) => boolean) | null {
	const [text, lines, object] = [options.get('pickaxe'), options.get('pickaxeRegex'), options.get('findObject')];
	const given = [lines, text, object].filter((one) => one !== undefined);
	if (given.length > 1) throw fatal("options '-G', '-S', and '--find-object' cannot be used together");
	if (lines !== undefined && options.has('pickaxeIsRegex'))
		throw fatal("options '-G' and '--pickaxe-regex' cannot be used together, use '--pickaxe-regex' with '-S'");
	if (object !== undefined && options.has('pickaxeAll'))
		throw fatal(
			"options '--pickaxe-all' and '--find-object' cannot be used together, use '--pickaxe-all' with '-G' and '-S'"
		);
	if (object !== undefined) {
		const id = resolveRevision(repository, object);
		return ({ before, after }) => before?.id === id || after?.id === id;
	}
	const format = { text: options.has('text') };
	if (text !== undefined) {
		if (text === '') throw fatal('-S requires a non-empty argument');
		const syntax = options.has('pickaxeIsRegex') ? 'extended' : 'fixed';
		const counted = lineRegex(binaryText(encode(text)), syntax, ignoresCase);
		const counter = new RegExp(counted, `g${counted.flags}`);
		return (change) => changesCount(repository, change, counter, format);
	}
	if (lines === undefined) return null;
	if (lines === '') throw fatal('-G requires a non-empty argument');
	const regex = lineRegex(binaryText(encode(lines)), 'extended', ignoresCase);
	return (change) => changesLine(repository, change, regex, format);
}

/** Returns whether the filter of the options reads the contents of changed files. */
export const readsContents = (options: PickaxeOptions): boolean =>
	options.has('pickaxe') || options.has('pickaxeRegex');

/** Returns whether the number of occurrences of a text changed. */
function changesCount(repository: Repository, change: Change, text: RegExp, format: { text: boolean }): boolean {
	const { before, after } = comparedFile(repository, change, format);
	const count = (content: Uint8Array) => binaryText(content).match(text)?.length ?? 0;
	return count(before) !== count(after);
}

/** Returns whether an added or removed line matches. */
function changesLine(repository: Repository, change: Change, regex: RegExp, format: { text: boolean }): boolean {
	const file = comparedFile(repository, change, format);
	if (file.isBinary) return false;
	const [before, after] = [splitLines(file.before), splitLines(file.after)];
	return lineChanges(before, after).some(
		({ beforeStart, beforeCount, afterStart, afterCount }) =>
			before.slice(beforeStart, beforeStart + beforeCount).some((line) => regex.test(line)) ||
			after.slice(afterStart, afterStart + afterCount).some((line) => regex.test(line))
	);
}
