import { decode } from '../bytes.ts';
import { wantsColor } from '../color-choice.ts';
import { binaryBytes } from '../diff/lines.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { columnLayout, inColumns } from '../listing/columns.ts';
import { RefFields } from '../listing/ref-fields.ts';
import { filterRefs, REF_FILTER_OPTIONS, shortNameFilter } from '../listing/ref-filter.ts';
import { RefFormat } from '../listing/ref-format.ts';
import { sortRefs } from '../listing/ref-sort.ts';
import { sortKeys } from '../listing/sort-keys.ts';
import { parseOptions, type Options } from '../options.ts';
import { createTag, TAG_CREATION_OPTIONS } from './tag-creation.ts';

const USAGE =
	'tag [-a | -s | -u <key-id>] [-f] [-m <msg> | -F <file>] [-e]\n' +
	'               <tagname> [<commit> | <object>]\n' +
	'   or: git tag -d <tagname>...\n' +
	'   or: git tag [-n[<num>]] -l [<options>] [<pattern>...]\n' +
	'   or: git tag -v [--format=<format>] <tagname>...\n';

const OPTIONS = {
	...REF_FILTER_OPTIONS,
	...TAG_CREATION_OPTIONS,
	delete: '-d --delete',
	verify: '-v --verify',
	list: '-l --list',
	lines: '-n ?',
	sort: '--sort = !',
	format: '--format =',
	color: '--color ? !',
	column: '--column ? !'
};

type TagOptions = Options<keyof typeof OPTIONS>;

/** Options that are only allowed in list mode. An error names the first one in this order. */
const ONLY_LISTED = {
	lines: '-n',
	contains: '--contains',
	noContains: '--no-contains',
	pointsAt: '--points-at',
	merged: '--merged',
	noMerged: '--no-merged'
} as const;

export const tag: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	const { operands } = options;
	const modes = (['list', 'delete', 'verify'] as const).filter((one) => options.has(one));
	if (modes.length > 1)
		throw new GitError(`error: options '--${modes[0]}' and '--${modes[1]}' cannot be used together`, 129);
	const onlyListed = (Object.keys(ONLY_LISTED) as (keyof typeof ONLY_LISTED)[]).find((one) => options.has(one));
	const mode = modes[0] ?? (operands.length === 0 || onlyListed !== undefined ? 'list' : null);
	const isMade = (['annotate', 'sign', 'message', 'file', 'key', 'force'] as const).some((one) => options.has(one));
	if (isMade && mode !== null) throw new GitError(`usage: git ${USAGE}`, 129);
	const keys = sortKeys(git.repository, options, 'tag.sort');
	checkKeys(git, keys);
	if (mode === 'list') return list(git, options, keys);
	if (onlyListed !== undefined) throw fatal(`the '${ONLY_LISTED[onlyListed]}' option is only allowed in list mode`);
	if (mode === 'delete') return remove(git, operands);
	if (mode === 'verify') return verify(git, options);
	createTag(git, options);
	return 0;
};

/** @throws GitError if a sort key is unknown, even if nothing is sorted */
function checkKeys({ repository }: Invocation, keys: readonly string[]): void {
	sortRefs(repository, [], keys, new RefFields(repository, false));
}

function remove(git: Invocation, names: readonly string[]): number {
	const { repository } = git;
	let code = 0;
	for (const name of names) {
		const id = repository.refs.resolve(`refs/tags/${name}`);
		if (id === null) {
			git.err(`error: tag '${name}' not found.\n`);
			code = 1;
			continue;
		}
		repository.refs.delete(`refs/tags/${name}`);
		git.out(`Deleted tag '${name}' (was ${repository.objects.abbreviate(id)})\n`);
	}
	return code;
}

/** Reports why each tag cannot be verified; no program for checking signatures is available. */
function verify(git: Invocation, options: TagOptions): number {
	const { repository } = git;
	const format = options.get('format');
	if (format !== undefined) new RefFormat(format, new RefFields(repository, false));
	for (const name of options.operands) {
		const id = repository.refs.resolve(`refs/tags/${name}`);
		const object = id === null ? null : repository.objects.find(id);
		if (id === null || object === null) git.err(`error: tag '${name}' not found.\n`);
		else if (object.type !== 'tag') git.err(`error: ${name}: cannot verify a non-tag object of type ${object.type}.\n`);
		else if (!decode(object.content).includes('\n-----BEGIN ')) {
			if (format === undefined) git.out(object.content);
			git.err('error: no signature found\n');
		} else git.err('error: cannot run gpg: No such file or directory\nerror: could not verify the tag\n');
	}
	return options.operands.length === 0 ? 0 : 1;
}

function list(git: Invocation, options: TagOptions, keys: readonly string[]): number {
	const { repository } = git;
	const columns = columnLayout(git, 'tag', options.all('column'), options.isTakenBack('column'));
	if (options.has('lines') && options.has('column')) throw fatal("options '--column' and '-n' cannot be used together");
	const isColored = wantsColor(git, 'ui', options.isTakenBack('color') ? 'never' : options.get('color'));
	const ignoresCase = options.has('ignoresCase');
	const fields = new RefFields(repository, isColored);
	const lines = options.get('lines');
	const usual =
		lines === undefined || lines === '0'
			? '%(refname:lstrip=2)'
			: `%(align:15)%(refname:lstrip=2)%(end) %(contents:lines=${lines || 1})`;
	const format = new RefFormat(options.get('format') ?? usual, fields, isColored);
	const isNamed = shortNameFilter(options.operands, ignoresCase);
	const named = repository.refs.list('refs/tags/').filter(({ name }) => isNamed(name));
	const found = filterRefs(repository, options, named);
	const shown = sortRefs(repository, found, keys, fields, ignoresCase).map((ref) => format.line(ref));
	if (columns && lines === undefined)
		git.out(
			inColumns(
				git,
				shown.map((text) => decode(binaryBytes(text))),
				columns,
				{ padding: 2 }
			)
		);
	else for (const text of shown) git.out(binaryBytes(`${text}\n`));
	return 0;
}
