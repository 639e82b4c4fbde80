import { absolute } from '#computer/abi/paths.ts';
import { binaryBytes, isBinary, splitLines } from '../diff/lines.ts';
import { failure, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { mergeText, type ConflictStyle } from '../merge/merge-text.ts';
import { parseOptions } from '../options.ts';

const USAGE = 'merge-file [<options>] [-L <name1> [-L <orig> [-L <name2>]]] <file1> <orig-file> <file2>';

/** Most conflicts that the exit code says. */
const MOST_COUNTED = 127;

/** `git merge-file`: merges the changes of two files, of which the first gets the result. */
export const mergeFile: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		stdout: '-p --stdout',
		quiet: '-q --quiet',
		diff3: '--diff3',
		zdiff3: '--zdiff3',
		ours: '--ours',
		theirs: '--theirs',
		label: '-L ='
	});
	const { operands } = options;
	const [current, , other] = operands;
	const labels = options.all('label');
	if (operands.length !== 3 || labels.length > 3 || current === undefined || other === undefined)
		throw new GitError(`usage: git ${USAGE}`, 129);
	const { sync } = git.context;
	const contents = operands.map((name) => {
		const path = absolute(name, git.cwd);
		if (sync.statOrNull(path)?.kind !== 'file') throw failure(`Could not stat ${name}`, 255);
		const bytes = sync.readFile(path);
		if (isBinary(bytes)) throw failure(`Cannot merge binary files: ${name}`, 255);
		return splitLines(bytes);
	});
	const [ours = [], base = [], theirs = []] = contents;
	const style: ConflictStyle = options.has('zdiff3') ? 'zdiff3' : options.has('diff3') ? 'diff3' : 'merge';
	const favour = options.has('ours') ? 'ours' : options.has('theirs') ? 'theirs' : undefined;
	const [first = current, middle = operands[1]!, last = other] = labels;
	const merged = mergeText(base, ours, theirs, { ours: first, base: middle, theirs: last, style, favour });
	const bytes = binaryBytes(merged.lines.join(''));
	if (options.has('stdout')) git.out(bytes);
	else sync.writeFile(absolute(current, git.cwd), bytes);
	return Math.min(merged.conflicts, MOST_COUNTED);
};
