import { absolute } from '#computer/abi/paths.ts';
import { binaryBytes, isBinary, splitLines } from '../diff/lines.ts';
import { failure, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { conflictStyle } from '../merge/conflict-style.ts';
import { mergeText } from '../merge/merge-text.ts';
import { parseOptions } from '../options.ts';
import { repositoryOrDirectory } from '../repository-or-directory.ts';

const USAGE = 'merge-file [<options>] [-L <name1> [-L <orig> [-L <name2>]]] <file1> <orig-file> <file2>';

/** Maximum number of conflicts reported in the exit code. */
const MOST_COUNTED = 127;

/** `git merge-file`: merges the changes of two files into the first. */
export const mergeFile: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		stdout: '-p --stdout',
		quiet: '-q --quiet',
		diff3: '--diff3',
		zdiff3: '--zdiff3',
		ours: '--ours',
		theirs: '--theirs',
		union: '--union',
		markerSize: '--marker-size =',
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
	const asked = options.latest('zdiff3', 'diff3');
	const style = asked ?? conflictStyle(repositoryOrDirectory(git));
	const favour = options.latest('ours', 'theirs', 'union');
	const size = options.get('markerSize');
	if (size !== undefined && !/^-?\d+$/.test(size))
		throw new GitError("error: option `marker-size' expects a numerical value", 129);
	const [first = current, middle = operands[1]!, last = other] = labels;
	const merged = mergeText(base, ours, theirs, {
		ours: first,
		base: middle,
		theirs: last,
		style,
		favour,
		markerSize: Number(size) > 0 ? Number(size) : undefined,
		joinsBlanks: true
	});
	const bytes = binaryBytes(merged.lines.join(''));
	if (options.has('stdout')) git.out(bytes);
	else sync.writeFile(absolute(current, git.cwd), bytes);
	return Math.min(merged.conflicts, MOST_COUNTED);
};
