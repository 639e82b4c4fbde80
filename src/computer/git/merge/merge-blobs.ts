import { runChild } from '../child.ts';
import { binaryBytes, isBinary, nameText, splitLines } from '../diff/lines.ts';
import { fatal } from '../errors.ts';
import { quoteWord } from '../shell-words.ts';
import { conflictStyle } from './conflict-style.ts';
import { MARKER_SIZE, mergeText, type Labels } from './merge-text.ts';
import type { MergePlan, OfSides } from './merge-plan.ts';

interface MergedBlob {
	id: string;
	isClean: boolean;
}

interface MergedBytes {
	bytes: Uint8Array;
	isClean: boolean;
}

/** Content merge driver: line by line, union of both sides' lines, one whole side, or a program. */
type Driver = 'text' | 'union' | 'binary' | { name: string; line: string | undefined };

/** Merges contents with the driver that the path's attributes select, and writes the result as a blob. */
export function mergeBlobs(
	plan: MergePlan,
	path: string,
	ids: OfSides<string | null>,
	names: OfSides<string>,
	extra: number
): MergedBlob {
	const { bytes, isClean } = mergeContents(plan, path, ids, names, extra);
	return { id: plan.git.repository.objects.write('blob', bytes), isClean };
}

/** Merges contents like {@link mergeBlobs}, without writing a blob. */
export function mergeContents(
	plan: MergePlan,
	path: string,
	ids: OfSides<string | null>,
	names: OfSides<string>,
	extra: number
): MergedBytes {
	const { git, how, attributes, depth } = plan;
	const { objects } = git.repository;
	const isRenamed = names[0] !== names[1] || names[1] !== names[2];
	const label = (of: string, at: 0 | 1 | 2) => (isRenamed ? `${of}:${names[at]}` : of);
	const labels = { ours: label(how.ours, 1), theirs: label(how.theirs, 2), base: label(how.base ?? '', 0) };
	const wished = Number(attributes.get(path, 'conflict-marker-size'));
	const size = (Number.isInteger(wished) && wished > 0 ? wished : MARKER_SIZE) + extra;
	const contents = ids.map((id) => (id === null ? new Uint8Array(0) : objects.read(id, 'blob'))) as OfSides<Uint8Array>;
	const driver = driverOf(plan, path);
	if (typeof driver === 'object') return runDriver(plan, driver, path, contents, size);
	if (driver === 'binary' || contents.some(isBinary)) {
		const favour = depth > 0 ? undefined : how.options?.favour;
		if (depth === 0 && favour === undefined)
			plan.say(
				'CONFLICT (binary)',
				[path],
				`warning: Cannot merge binary files: ${path} (${labels.ours} vs. ${labels.theirs})`
			);
		const chosen = depth > 0 ? 0 : favour === 'theirs' ? 2 : 1;
		return { bytes: contents[chosen], isClean: depth > 0 || favour !== undefined };
	}
	const given: Labels = {
		ours: nameText(labels.ours),
		theirs: nameText(labels.theirs),
		base: how.base === undefined ? undefined : nameText(labels.base),
		style: how.style ?? conflictStyle(git.repository),
		favour: driver === 'union' ? 'union' : depth > 0 ? undefined : how.options?.favour,
		markerSize: size,
		blanks: how.options?.blanks
	};
	const [base, ours, theirs] = contents.map(splitLines) as OfSides<string[]>;
	const merged = mergeText(base, ours, theirs, given);
	return { bytes: binaryBytes(merged.lines.join('')), isClean: merged.conflicts === 0 };
}

function driverOf(plan: MergePlan, path: string): Driver {
	const { config } = plan.git.repository;
	const named = (name: string): Driver => {
		const line = config.get(`merge.${name}.driver`);
		const isDefined = line !== undefined || config.get(`merge.${name}.name`) !== undefined;
		if (isDefined) return { name, line };
		return name === 'union' || name === 'binary' ? name : 'text';
	};
	const attribute = plan.attributes.get(path, 'merge');
	if (attribute === true) return 'text';
	if (attribute === false) return 'binary';
	const name = attribute ?? config.get('merge.default');
	if (name === undefined) return 'text';
	const recursive = plan.depth > 0 ? config.get(`merge.${name}.recursive`) : undefined;
	return named(recursive ?? name);
}

/** Runs a configured driver on temporary files; it writes the result to that of our side. */
function runDriver(
	{ git }: MergePlan,
	{ name, line }: { name: string; line: string | undefined },
	path: string,
	contents: OfSides<Uint8Array>,
	size: number
): MergedBytes {
	if (line === undefined) throw fatal(`custom merge driver ${name} lacks command line.`);
	const { files, root } = git.repository;
	const temporary = contents.map((bytes, at) => {
		let n = at;
		while (files.statOrNull(`${root}/.merge_file_${n}`) !== null) n += 3;
		files.writeFile(`${root}/.merge_file_${n}`, bytes);
		return `.merge_file_${n}`;
	});
	const [base = '', ours = '', theirs = ''] = temporary;
	const values: Record<string, string> = { O: base, A: ours, B: theirs, L: String(size), P: quoteWord(path), '%': '%' };
	const command = line.replace(/%([OABLP%])/g, (_, letter: string) => values[letter] ?? '');
	try {
		const code = runChild(git, command, [], { cwd: root });
		const stat = files.statOrNull(`${root}/${ours}`);
		if (stat?.kind !== 'file') throw fatal(`merge driver ${name} left no result`);
		return { bytes: files.readFile(`${root}/${ours}`), isClean: code === 0 };
	} finally {
		for (const one of temporary) files.remove(`${root}/${one}`, { force: true });
	}
}
