import { headTree, treeToWorktree } from '../diff/sides.ts';
import { fatal, GitError } from '../errors.ts';
import { Describer } from '../history/description.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions, type Options } from '../options.ts';
import { findRevision } from '../refs/revision.ts';
import { nameRev } from './name-rev.ts';

const OPTIONS = {
	contains: '--contains',
	debug: '--debug',
	all: '--all',
	tags: '--tags !',
	long: '--long !',
	firstParent: '--first-parent',
	abbreviate: '--abbrev ?',
	noAbbreviate: '--no-abbrev',
	exact: '--exact-match',
	noExact: '--no-exact-match',
	candidates: '--candidates =',
	match: '--match = !',
	exclude: '--exclude = !',
	always: '--always',
	dirty: '--dirty ?',
	broken: '--broken ?'
};

type DescribeOptions = Options<keyof typeof OPTIONS>;

export const describe: Command = (git, args) => {
	const options = parseOptions('describe [<options>] [<commit-ish>...]', args, OPTIONS);
	const { repository } = git;
	const { operands } = options;
	const digits = options.has('noAbbreviate') ? 0 : Number(options.get('abbreviate') || NaN);
	if (options.has('long') && digits === 0) throw fatal("options '--long' and '--abbrev=0' cannot be used together");
	if (options.has('contains')) return nameRev(git, containing(options));
	const debug = options.has('debug') ? (line: string) => git.err(line) : undefined;
	const candidates = Number(options.get('candidates') ?? 10);
	const describer = new Describer(repository, {
		...{ tags: options.has('tags'), all: options.has('all'), always: options.has('always') },
		...{ isLong: options.has('long'), firstParent: options.has('firstParent') },
		digits: Number.isNaN(digits) ? undefined : digits,
		candidates: options.has('exact') && !options.has('noExact') ? 0 : Math.max(0, candidates),
		match: options.all('match'),
		exclude: options.all('exclude'),
		debug,
		warn: (line) => git.err(line)
	});
	const marked = (['dirty', 'broken'] as const).find((one) => options.has(one));
	if (operands.length > 0 && marked) throw fatal(`option '--${marked}' and commit-ishes cannot be used together`);
	const suffix = marked ? stateMark(git, options) : '';
	for (const text of operands.length === 0 ? ['HEAD'] : operands) {
		debug?.(`describe ${text}\n`);
		const id = findRevision(repository, text);
		if (id === null) throw fatal(`Not a valid object name ${text}`);
		git.out(`${describer.describe(id, text)}${suffix}\n`);
	}
	return 0;
};

/** Mark for a worktree that has changes (`-dirty`) or cannot be read (`-broken`). */
function stateMark({ repository }: Invocation, options: DescribeOptions): string {
	const dirty = options.get('dirty') || '-dirty';
	try {
		return treeToWorktree(repository, headTree(repository)).length > 0 ? dirty : '';
	} catch (error) {
		if (!(error instanceof GitError) || !options.has('broken')) throw error;
		return options.get('broken') || '-broken';
	}
}

/** Arguments for `name-rev`, which names a commit by a tag that contains it. */
function containing(options: DescribeOptions): string[] {
	const patterns = (name: 'match' | 'exclude', option: string) =>
		options.all(name).map((text) => `${option}=refs/tags/${text}`);
	return [
		...['--peel-tag', '--name-only', '--no-undefined'],
		...(options.has('always') ? ['--always'] : []),
		...(options.has('all') ? [] : ['--tags', ...patterns('match', '--refs'), ...patterns('exclude', '--exclude')]),
		...(options.operands.length === 0 ? ['HEAD'] : options.operands)
	];
}
