import { splitLines } from '#environment/lines.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { Interrupted } from '#computer/shell/state/control.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { changesOf, type Sides } from './changes.ts';
import { isLink, isSameFile, kindText, type Operand, textOf } from './operand.ts';
import { outputOf } from './output.ts';
import { shownName } from './names.ts';
import type { Settings } from './settings.ts';

export const [SAME, DIFFERENT, TROUBLE] = [0, 1, 2];

/**
 * Compares two files that are not directories.
 *
 * @param heading options printed as a heading if files of two directories are compared, null at the top level
 */
export async function compareFiles(
	call: Call,
	files: readonly [Operand, Operand],
	settings: Settings,
	heading: string | null
): Promise<number> {
	const [one, other] = files;
	const { options, form } = settings;
	const names = labelled(files, settings);
	if (isLink(one) || isLink(other) || (heading !== null && differInKind(one, other)))
		return compareKinds(call, one, other);
	const showsAll = (form === 'columns' || form === 'formats') && !options.has('q');
	const isSame = isSameFile(one, other);
	if (isSame && !showsAll) return identical(call, names, settings);
	const text = await readText(call, one);
	const otherText = isSame ? text : await readText(call, other);
	if (text === null || otherText === null) return TROUBLE;
	return compareTexts(call, files, [text, otherText], settings, heading);
}

/** Reads a file; null after an error was reported. */
async function readText(call: Call, operand: Operand): Promise<string | null> {
	try {
		return await textOf(call, operand);
	} catch (error) {
		if (error instanceof Interrupted) throw error;
		await call.complain(`${operand.name}: ${reason(error)}`);
		return null;
	}
}

const labelled = (files: readonly [Operand, Operand], { options }: Settings): readonly [string, string] => {
	const labels = options.all('label');
	return [labels[0] ?? files[0].name, labels[1] ?? files[1].name];
};

async function identical(call: Call, [one, other]: readonly [string, string], settings: Settings): Promise<number> {
	if (settings.options.has('s')) await call.out(`Files ${one} and ${other} are identical\n`);
	return SAME;
}

const differInKind = (one: Operand, other: Operand): boolean =>
	!one.isAbsent && !other.isAbsent && one.stat?.kind !== other.stat?.kind;

/** Compares links by their targets, and a link with anything else by file type. */
async function compareKinds(call: Call, one: Operand, other: Operand): Promise<number> {
	const { shell } = call;
	const absent = [one, other].find(({ isAbsent }) => isAbsent);
	if (absent) {
		await call.complain(`${absent.name}: No such file or directory`);
		return TROUBLE;
	}
	if (isLink(one) && isLink(other)) {
		const target = ({ name }: Operand) => shell.host.context.sync.readlink(shell.path(name));
		if (target(one) === target(other)) return SAME;
		await call.out(`Symbolic links ${one.name} and ${other.name} differ\n`);
		return DIFFERENT;
	}
	await call.out(`File ${one.name} is a ${kindText(one)} while file ${other.name} is a ${kindText(other)}\n`);
	return DIFFERENT;
}

async function compareTexts(
	call: Call,
	files: readonly [Operand, Operand],
	texts: readonly [string, string],
	settings: Settings,
	heading: string | null
): Promise<number> {
	const { options, form } = settings;
	const [one, other] = labelled(files, settings);
	const showsAll = (form === 'columns' || form === 'formats') && !options.has('q');
	if (texts[0] === texts[1] && !showsAll) return identical(call, [one, other], settings);
	const isBinary = !options.has('a') && (texts[0].includes('\0') || texts[1].includes('\0'));
	if (isBinary) {
		const kind = options.has('q') ? 'Files' : 'Binary files';
		if (texts[0] === texts[1]) return identical(call, [one, other], settings);
		await call.out(`${kind} ${one} and ${other} differ\n`);
		return DIFFERENT;
	}
	const lines = (text: string) => splitLines(options.has('strip-trailing-cr') ? text.replaceAll('\r\n', '\n') : text);
	const sides: Sides = { old: lines(texts[0]), new: lines(texts[1]) };
	const isScript = form === 'ed' || form === 'forward';
	const isCut = isScript && (await complainOfEnds(call, [one, other], sides));
	const changes = changesOf(sides, settings.rules, settings.horizon);
	const isSame = changes.every(({ isIgnorable }) => isIgnorable);
	if (isSame && isCut) return TROUBLE;
	if (isSame && !showsAll) return identical(call, [one, other], settings);
	if (options.has('q')) {
		await call.out(`Files ${one} and ${other} differ\n`);
		return DIFFERENT;
	}
	const output = outputOf(call, files, sides, changes, settings);
	if (output === '') return isSame ? SAME : DIFFERENT;
	const head = heading === null ? '' : `diff${heading} ${shownName(one)} ${shownName(other)}\n`;
	await call.out(head + output);
	return isCut ? TROUBLE : isSame ? SAME : DIFFERENT;
}

/** Reports a missing line end, which an `ed` script cannot express. */
async function complainOfEnds(call: Call, names: readonly [string, string], sides: Sides): Promise<boolean> {
	let isCut = false;
	for (const [name, lines] of [
		[names[0], sides.old],
		[names[1], sides.new]
	] as const) {
		if (lines.at(-1)?.endsWith('\n') !== false) continue;
		await call.complain(`${name}: No newline at end of file\n`);
		isCut = true;
	}
	return isCut;
}
