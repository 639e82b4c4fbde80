import { splitLines } from '#environment/lines.ts';
import { decode, encode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { runWords } from '#computer/shell/execution/run-words.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { bytesStream } from '#computer/shell/streams/simple-streams.ts';
import { OpenFile } from '#computer/shell/streams/open-file.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { readWhole } from '../../input/whole-file.ts';
import { type Options, UsageError, utility } from '../../options.ts';
import { withoutEnd } from './changes.ts';
import { compareFiles, TROUBLE } from './compare-files.ts';
import { compareTrees, type TreeCall } from './compare-trees.ts';
import { shownName, shownOptions } from './names.ts';
import { isDirectory, operandOf } from './operand.ts';
import { settingsOf, SPECIFICATION } from './settings.ts';

const MOST_LABELS = 2;

/** `diff` of two files or, with `-r`, two trees, in all of GNU's formats. */
export const diff = utility(
	SPECIFICATION,
	(call, options) => (options.has('l') ? paginated(call, options) : run(call, options)),
	TROUBLE
);

/** Passes the output through `pr`. */
async function paginated(call: Call, options: Options): Promise<number> {
	let text = '';
	const status = await run({ ...call, out: (piece) => void (text += piece) }, options);
	if (text === '') return status;
	const title = `diff${shownOptions(call.args, options.operands)} ${options.operands.map(shownName).join(' ')}`;
	await runSubshell(call.shell, (inner) => {
		inner.descriptors.set(0, new OpenFile(bytesStream(encode(text))));
		return runWords(inner, ['pr', '-h', title]);
	});
	return status;
}

async function run(call: Call, options: Options): Promise<number> {
	const { operands } = options;
	if (options.all('label').length > MOST_LABELS) throw new UsageError('too many file label options', false);
	const settings = settingsOf(options, showsColours(call));
	const [from, to] = [options.get('from-file'), options.get('to-file')];
	if (from !== undefined && to !== undefined) throw new UsageError('--from-file and --to-file both specified', false);
	const excluded = await excludedNames(call, options);
	if (excluded === null) return TROUBLE;
	const tree = { call, settings, heading: shownOptions(call.args, operands), excluded };
	if (from === undefined && to === undefined) {
		const [first, second] = pairOf(operands);
		return compare(tree, first, second);
	}
	let status = 0;
	for (const name of operands) {
		const result = from === undefined ? await compare(tree, name, to ?? '') : await compare(tree, from, name);
		status = Math.max(status, result);
	}
	return status;
}

/** @throws UsageError */
function pairOf(operands: readonly string[]): readonly [string, string] {
	const [first, second, extra] = operands;
	if (first === undefined || second === undefined) throw new UsageError(`missing operand after '${first ?? 'diff'}'`);
	if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
	return [first, second];
}

function showsColours({ shell }: Call): boolean {
	const kernel = shell.descriptors.get(1)?.kernel;
	const term = shell.variables.exported('TERM');
	return kernel !== undefined && shell.host.context.sync.isTerminal(kernel) && term !== undefined && term !== 'dumb';
}

/** Patterns of `-x` and of the files of `-X`; null after an error was reported. */
async function excludedNames(call: Call, options: Options): Promise<string[] | null> {
	const patterns = options.all('x');
	for (const name of options.all('X')) {
		try {
			patterns.push(...splitLines(decode(await readWhole(call.shell, name))).map(withoutEnd));
		} catch (error) {
			await call.complain(`${name}: ${reason(error)}`);
			return null;
		}
	}
	return patterns;
}

/** Compares the operands; a file and a directory are compared using the file with the same name in the directory. */
async function compare(tree: TreeCall, from: string, to: string): Promise<number> {
	const { call, settings } = tree;
	const { options } = settings;
	let one = operandOf(call, options, from);
	let other = operandOf(call, options, to);
	const oneCountsAsEmpty = one.isAbsent && !other.isAbsent && options.has('N', 'P');
	const otherCountsAsEmpty = other.isAbsent && !one.isAbsent && options.has('N');
	const missing = [
		one.isAbsent && !oneCountsAsEmpty ? one : [],
		other.isAbsent && !otherCountsAsEmpty ? other : []
	].flat();
	if (missing.length > 0) {
		for (const { name } of missing) await call.complain(`${name}: No such file or directory`);
		return TROUBLE;
	}
	const [isTree, isOtherTree] = [isDirectory(one) || oneCountsAsEmpty, isDirectory(other) || otherCountsAsEmpty];
	if (isTree && isOtherTree && (isDirectory(one) || isDirectory(other))) return compareTrees(tree, [one, other]);
	if ((isDirectory(one) && to === '-') || (isDirectory(other) && from === '-')) {
		await call.complain("cannot compare '-' to a directory");
		return TROUBLE;
	}
	const inside = (directory: string, file: string) =>
		operandOf(call, options, `${directory.replace(/\/+$/, '')}/${file.replace(/\/+$/, '').split('/').at(-1)}`);
	if (isDirectory(one)) one = inside(from, to);
	else if (isDirectory(other)) other = inside(to, from);
	for (const { name, isAbsent } of [one, other])
		if (isAbsent && !oneCountsAsEmpty && !otherCountsAsEmpty) {
			await call.complain(`${name}: No such file or directory`);
			return TROUBLE;
		}
	return compareFiles(call, [one, other], settings, null);
}
