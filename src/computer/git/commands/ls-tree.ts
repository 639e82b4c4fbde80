import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { entryLine } from '../listing/entry-format.ts';
import { isDirectory, modeText, typeOfMode, type TreeEntry } from '../objects/tree.ts';
import { parseOptions, type Options } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { findRevision, peel, notAnObject } from '../refs/revision.ts';

const USAGE = 'ls-tree [<options>] <tree-ish> [<path>...]';

const OPTIONS = {
	recursive: '-r',
	trees: '-t',
	onlyTrees: '-d',
	long: '-l --long',
	zero: '-z',
	names: '--name-only',
	status: '--name-status',
	objects: '--object-only',
	format: '--format =',
	fullName: '--full-name',
	fullTree: '--full-tree',
	abbreviate: '--abbrev ?',
	noAbbreviate: '--no-abbrev'
};

type TreeOptions = Options<keyof typeof OPTIONS>;

/** Options that are abbreviations for a format. */
const FORMATS = {
	long: ['--long', '%(objectmode) %(objecttype) %(objectname) %(objectsize:padded)%x09%(path)'],
	names: ['--name-only', '%(path)'],
	status: ['--name-status', '%(path)'],
	objects: ['--object-only', '%(objectname)']
} as const;

export const lsTree: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const { repository } = git;
	const { objects } = repository;
	const format = formatOf(options);
	const [revision, ...operands] = options.operands;
	if (revision === undefined) throw new GitError(`usage: git ${USAGE}`, 129);
	const id = findRevision(repository, revision);
	if (id === null) throw notAnObject(repository, revision);
	const tree = peel(repository, id, 'tree');
	if (tree === null) throw fatal('not a tree object');
	const top = options.has('fullTree');
	const prefix = top ? '' : repository.prefix;
	const given = [...operands, ...(options.paths ?? [])];
	const paths = given.map((path) => {
		if (top && /^(?:\.\/)*\.\.(?:\/|$)/.test(path))
			throw fatal(`${path}: '${path}' is outside repository at '${repository.root}'`);
		const full = top ? path.replace(/\/$/, '') : repository.fromCwd(path);
		return { full, inside: path.endsWith('/') || full === '' };
	});
	if (paths.length === 0 && prefix !== '') paths.push({ full: prefix.slice(0, -1), inside: true });
	// With `-r`, `-d` also lists the trees that are entered.
	const showsTrees = options.has('trees') || (options.has('onlyTrees') && options.has('recursive'));
	const end = options.has('zero') ? '\0' : '\n';
	const shown = (path: string, entry: TreeEntry): void => {
		if (options.has('onlyTrees') && typeOfMode(entry.mode) === 'blob') return;
		git.out(line(git, format, path, entry, options) + end);
	};
	const visit = (tree: string, directory: string): void => {
		for (const entry of objects.tree(tree)) {
			const path = directory + entry.name;
			const below = paths.some(({ full, inside }) => full.startsWith(`${path}/`) || (inside && full === path));
			const within =
				paths.length === 0 ||
				paths.some(({ full, inside }) => full === '' || path.startsWith(`${full}/`) || (full === path && !inside));
			if (!isDirectory(entry.mode)) {
				if (within) shown(path, entry);
				continue;
			}
			const enter = below || (within && options.has('recursive'));
			if ((within && !enter) || (showsTrees && (within || below))) shown(path, entry);
			if (enter) visit(entry.id, `${path}/`);
		}
	};
	visit(tree, '');
	return 0;
};

/** Format of the lines. @throws GitError if more than one is given */
function formatOf(options: TreeOptions): string {
	const names = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).filter((name) => options.has(name));
	const [one, other] = names;
	if (one !== undefined && other !== undefined)
		throw new GitError(`error: options '${FORMATS[other][0]}' and '${FORMATS[one][0]}' cannot be used together`, 129);
	const format = options.get('format');
	if (format !== undefined && one !== undefined)
		throw new GitError(
			`fatal: --format can't be combined with other format-altering options\n\nusage: git ${USAGE}`,
			129
		);
	return format ?? (one === undefined ? '%(objectmode) %(objecttype) %(objectname)%x09%(path)' : FORMATS[one][1]);
}

/** Formats the line of an entry. @throws GitError if the format has an unknown field */
function line(
	{ repository }: Invocation,
	format: string,
	path: string,
	entry: TreeEntry,
	options: TreeOptions
): string {
	const { objects } = repository;
	const type = typeOfMode(entry.mode);
	const size = () => (type === 'blob' ? String(objects.read(entry.id, 'blob').length) : '-');
	const isFull = options.has('fullTree') || options.has('fullName');
	const name = isFull ? path : repository.toCwd(path);
	const isShort = options.has('abbreviate') && !options.has('noAbbreviate');
	const digits = Number(options.get('abbreviate')) || undefined;
	const fields: Record<string, () => string> = {
		objectmode: () => modeText(entry.mode),
		objecttype: () => type,
		objectname: () => (isShort ? objects.abbreviate(entry.id, digits) : entry.id),
		objectsize: size,
		'objectsize:padded': () => size().padStart(7),
		path: () => (options.has('zero') ? name : quotePath(name))
	};
	return entryLine('ls-tree', format, fields);
}
