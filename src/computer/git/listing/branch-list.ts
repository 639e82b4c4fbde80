import { displayWidth } from '../display-width.ts';
import { COLOR_RESET, slotColor, wantsColor } from '../color-choice.ts';
import { decode } from '../bytes.ts';
import { binaryBytes } from '../diff/lines.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { isObjectId } from '../objects/object-id.ts';
import type { Options } from '../options.ts';
import { detachedFrom } from '../refs/detached-head.ts';
import type { Repository } from '../repository.ts';
import { loadRebase, rebaseDirectory } from '../sequence/rebase-state.ts';
import { columnLayout, inColumns } from './columns.ts';
import type { ListedRef } from './listed-ref.ts';
import { RefFields } from './ref-fields.ts';
import { filterRefs, REF_FILTER_OPTIONS, shortNameFilter } from './ref-filter.ts';
import { RefFormat } from './ref-format.ts';
import { sortRefs } from './ref-sort.ts';
import { sortKeys } from './sort-keys.ts';

/** Options of lists of branches. */
export const BRANCH_LIST_OPTIONS = {
	...REF_FILTER_OPTIONS,
	all: '-a --all',
	remotes: '-r --remotes',
	verbose: '-v --verbose',
	abbreviate: '--abbrev ?',
	noAbbreviate: '--no-abbrev',
	color: '--color ? !',
	column: '--column ? !',
	format: '--format =',
	sort: '--sort = !'
};

type ListOptions = Options<keyof typeof BRANCH_LIST_OPTIONS>;

/** Lists the branches selected by patterns and options. */
export function listBranches(git: Invocation, patterns: readonly string[], options: ListOptions): void {
	const { repository } = git;
	const columns = columnLayout(git, 'branch', options.all('column'), options.isTakenBack('column'));
	if (options.has('verbose') && options.has('column'))
		throw fatal("options '--column' and '--verbose' cannot be used together");
	const isColored = wantsColor(git, 'branch', options.isTakenBack('color') ? 'never' : options.get('color'));
	const ignoresCase = options.has('ignoresCase');
	const fields = new RefFields(repository, isColored);
	const isNamed = shortNameFilter(patterns, ignoresCase);
	const named = candidates(repository, options).filter(({ name }) => isNamed(name));
	const found = filterRefs(repository, options, named);
	const rows = sortRefs(repository, found, sortKeys(repository, options, 'branch.sort'), fields, ignoresCase);
	const format = options.get('format');
	const parsed = format === undefined ? null : new RefFormat(format, fields, isColored);
	const line = parsed
		? (ref: ListedRef) => parsed.line(ref)
		: new BranchLine(git, rows, options, fields, isColored).line;
	const lines = rows.map((ref) => line(ref));
	if (columns && !options.has('verbose'))
		git.out(
			inColumns(
				git,
				lines.map((text) => decode(binaryBytes(text))),
				columns
			)
		);
	else for (const text of lines) git.out(binaryBytes(`${text}\n`));
}

function candidates(repository: Repository, options: ListOptions): ListedRef[] {
	const { refs } = repository;
	const isLocal = !options.has('remotes') || options.has('all');
	const head = repository.head();
	const isDetached = isLocal && head !== null && refs.symbolic('HEAD') === null;
	return [
		...(isDetached ? [{ name: 'HEAD', id: head, description: headDescription(repository) }] : []),
		...(isLocal ? refs.list('refs/heads/') : []),
		...(options.has('remotes') || options.has('all') ? refs.list('refs/remotes/') : [])
	];
}

/** Description of a detached HEAD: the operation in progress, or where it was detached. */
function headDescription(repository: Repository): string {
	const from = detachedFrom(repository);
	if (rebaseDirectory(repository) !== null) {
		const { branch } = loadRebase(repository);
		if (branch !== null) return `(no branch, rebasing ${branch.replace(/^refs\/heads\//, '')})`;
		return `(no branch, rebasing detached HEAD ${from?.name ?? ''})`;
	}
	const bisected = repository.note('BISECT_START')?.trim();
	if (bisected !== undefined) {
		const name = isObjectId(bisected) ? repository.objects.abbreviate(bisected) : bisected;
		return `(no branch, bisect started on ${name})`;
	}
	if (from === null) return '(no branch)';
	return `(HEAD detached ${from.isThere ? 'at' : 'from'} ${from.name})`;
}

/** Formats lines of the list, with marks, colors and, with `-v`, the commit of each branch. */
class BranchLine {
	readonly #width: number;
	readonly #prefix: string;
	readonly #value: (field: string, ref: ListedRef) => string;

	constructor(
		private readonly git: Invocation,
		rows: readonly ListedRef[],
		private readonly options: ListOptions,
		fields: RefFields,
		private readonly isColored: boolean
	) {
		this.#prefix = options.has('remotes') && !options.has('all') ? '' : 'remotes/';
		this.#value = (field, ref) => fields.field(field)(ref).text;
		this.#width = Math.max(0, ...rows.map((ref) => displayWidth(decode(binaryBytes(this.#name(ref))))));
	}

	readonly line = (ref: ListedRef): string => {
		const isRemote = ref.name.startsWith('refs/remotes/');
		const isHead = this.#value('HEAD', ref) === '*';
		const tree = isRemote || isHead ? '' : this.#value('worktreepath', ref);
		const mark = isHead ? '* ' : tree !== '' ? '+ ' : '  ';
		const slot = isRemote ? 'remote' : isHead ? 'current' : tree !== '' ? 'worktree' : 'local';
		const name = this.#name(ref);
		const reset = this.isColored ? COLOR_RESET : '';
		const symref = this.#value('symref:short', ref);
		const target = symref === '' ? '' : ` -> ${symref}`;
		const start = `${mark}${this.#color(slot)}`;
		if (!this.options.has('verbose')) return `${start}${name}${reset}${target}`;
		const padding = ' '.repeat(this.#width - displayWidth(decode(binaryBytes(name))));
		const subject = this.#value('contents:subject', ref);
		const details =
			isRemote && target !== '' ? target : ` ${this.#id(ref)} ${isRemote ? '' : this.#followed(ref, tree)}${subject}`;
		return `${start}${name}${padding}${reset}${details}`;
	};

	#name(ref: ListedRef): string {
		const short = this.#value('refname:lstrip=2', ref);
		return ref.name.startsWith('refs/remotes/') ? this.#prefix + short : short;
	}

	#id(ref: ListedRef): string {
		const digits = Number(this.options.get('abbreviate') || NaN);
		if (this.options.has('noAbbreviate') || digits === 0) return ref.id;
		return this.git.repository.objects.abbreviate(ref.id, Number.isNaN(digits) ? undefined : digits);
	}

	/** Worktree that has the branch checked out, and the upstream with how far the branch is ahead or behind. */
	#followed(ref: ListedRef, tree: string): string {
		const track = this.#value('upstream:track', ref);
		if (this.options.all('verbose').length < 2) return track === '' ? '' : `${track} `;
		const colored = (slot: string, text: string) =>
			this.isColored ? `${this.#color(slot)}${text}${COLOR_RESET}` : text;
		const place = tree === '' ? '' : `(${colored('worktree', tree)}) `;
		const upstream = this.#value('upstream:short', ref);
		if (upstream === '') return place;
		const words = this.#value('upstream:track,nobracket', ref);
		return `${place}[${colored('upstream', upstream)}${words === '' ? '' : `: ${words}`}] `;
	}

	#color(slot: string): string {
		return this.isColored ? slotColor(this.git.repository, 'branch', slot, COLORS[slot] ?? '') : '';
	}
}

/** Default colors of branches. */
const COLORS: Readonly<Record<string, string>> = {
	...{ remote: 'red', current: 'green', upstream: 'blue', worktree: 'cyan' }
};
