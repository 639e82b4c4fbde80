import { reason } from '#computer/shell/execution/redirections.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { compareFiles, DIFFERENT, SAME, TROUBLE } from './compare-files.ts';
import { isDirectory, type Operand, operandOf } from './operand.ts';
import type { Settings } from './settings.ts';

/** A comparison of two directories. */
export interface TreeCall {
	call: Call;
	settings: Settings;
	/** Options as printed above each pair of files. */
	heading: string;
	/** Names to exclude. */
	excluded: readonly string[];
}

type Pair = readonly [name: string | null, other: string | null];

/**
 * Compares the contents of two directories, one of which may be absent.
 *
 * @param above pairs of directories being compared
 */
export async function compareTrees(
	tree: TreeCall,
	files: readonly [Operand, Operand],
	above: readonly string[] = []
): Promise<number> {
	const { call, settings } = tree;
	const place = files.map(({ stat }) => `${stat?.device}:${stat?.inode}`).join(' ');
	if (above.includes(place)) {
		await call.complain(`${files[0].name}: recursive directory loop`);
		return TROUBLE;
	}
	const names: [string[], string[]] = [[], []];
	for (const [index, file] of files.entries()) {
		try {
			if (!file.isAbsent) names[index as 0 | 1] = entriesOf(tree, file, above.length === 0);
		} catch (error) {
			await call.complain(`${file.name}: ${reason(error)}`);
			return TROUBLE;
		}
	}
	let status = SAME;
	for (const pair of pairsOf(names, settings.options.has('ignore-file-name-case'))) {
		await call.shell.control.yieldIfDue();
		status = Math.max(status, await comparePair(tree, files, pair, [...above, place]));
	}
	return status;
}

function entriesOf({ call, settings, excluded }: TreeCall, { name }: Operand, isTop: boolean): string[] {
	const { shell } = call;
	const tests = excluded.map((glob) => globRegExp(glob, { ignoreCase: settings.options.has('ignore-file-name-case') }));
	const first = isTop ? settings.options.get('starting-file') : undefined;
	return shell.host.context.sync
		.readdir(shell.path(name))
		.map((entry) => entry.name)
		.filter((entry) => (first === undefined || entry >= first) && !tests.some((one) => one.test(entry)));
}

/** Pairs the names of both sides, in order. Among names that only differ in case, identical ones are paired first. */
function pairsOf([left, right]: readonly [string[], string[]], ignoresCase: boolean): Pair[] {
	const key = (name: string) => (ignoresCase ? name.toLowerCase() : name);
	const groups = new Map<string, [string[], string[]]>();
	for (const [index, names] of [left, right].entries())
		for (const name of [...names].sort()) {
			const group = groups.get(key(name)) ?? [[], []];
			groups.set(key(name), group);
			group[index as 0 | 1].push(name);
		}
	return [...groups]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.flatMap(([, [ours, theirs]]): Pair[] => {
			const same = ours.filter((name) => theirs.includes(name));
			const rest = ours.filter((name) => !same.includes(name));
			const others = theirs.filter((name) => !same.includes(name));
			const length = Math.max(rest.length, others.length);
			const loose = Array.from({ length }, (_, at): Pair => [rest[at] ?? null, others[at] ?? null]);
			return [...same.map((name): Pair => [name, name]), ...loose];
		});
}

async function comparePair(
	tree: TreeCall,
	[from, to]: readonly [Operand, Operand],
	[left, right]: Pair,
	above: readonly string[]
): Promise<number> {
	const { call, settings, heading } = tree;
	const { options } = settings;
	const below = (directory: Operand, name: string) => `${directory.name.replace(/\/+$/, '')}/${name}`;
	const one = operandOf(call, options, below(from, left ?? right ?? ''));
	const other = operandOf(call, options, below(to, right ?? left ?? ''));
	if (left === null || right === null) {
		const countsAsEmpty = options.has('N') || (left === null && options.has('P'));
		const lone = left === null ? other : one;
		if (!countsAsEmpty || (isDirectory(lone) && !options.has('r'))) {
			await call.out(`Only in ${(left === null ? to : from).name.replace(/(.)\/+$/, '$1')}: ${left ?? right ?? ''}\n`);
			return DIFFERENT;
		}
		if (isDirectory(lone)) return compareTrees(tree, [one, other], above);
	} else if (isDirectory(one) && isDirectory(other)) {
		if (options.has('r')) return compareTrees(tree, [one, other], above);
		await call.out(`Common subdirectories: ${one.name} and ${other.name}\n`);
		return SAME;
	}
	for (const [name, file] of [
		[left, one],
		[right, other]
	] as const)
		if (name !== null && file.isAbsent) {
			await call.complain(`${file.name}: No such file or directory`);
			return TROUBLE;
		}
	return compareFiles(call, [one, other], settings, heading);
}
