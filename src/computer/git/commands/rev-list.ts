import { GitError } from '../errors.ts';
import { formatCommit, parseFormat } from '../history/format.ts';
import { historyFilter, HISTORY_OPTIONS, touches } from '../history/filter.ts';
import { ancestors, parseRange, walkHistory, type Revision } from '../history/walk.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import type { Repository } from '../repository.ts';
import { resolveCommit } from '../refs/revision.ts';
import { idsOfRefs, namesRefs, splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';

const USAGE = 'rev-list [<options>] <commit>... [--] [<path>...]';

export const revList: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		...HISTORY_OPTIONS,
		countOnly: '--count',
		leftRight: '--left-right',
		parents: '--parents',
		oneline: '--oneline',
		abbreviate: '--abbrev-commit',
		format: '--format --pretty =',
		order: '--topo-order --date-order'
	});
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const all = idsOfRefs(repository, options);
	const names = [...revisions, ...all];
	if (names.length === 0 && !namesRefs(options)) throw new GitError(`usage: git ${USAGE}`, 129);
	const range = parseRange(repository, names);
	const pathspec = new Pathspec(repository, paths);
	const wanted = historyFilter(repository, options);
	const limit = Number(options.get('count') ?? Infinity);
	let skip = Number(options.get('skip') ?? 0);
	const found = [];
	for (const revision of walkHistory(repository, range, options.has('firstParent'))) {
		if (found.length >= limit) break;
		if (!wanted(revision) || !touches(repository, revision, pathspec) || skip-- > 0) continue;
		found.push(revision);
	}
	const three = revisions.find((text) => text.includes('...'))?.split('...');
	const left =
		options.has('leftRight') && three ? ancestors(repository, [resolveCommit(repository, three[0] || 'HEAD')]) : null;
	if (options.has('countOnly')) {
		const onLeft = left ? found.filter(({ id }) => left.has(id)).length : 0;
		git.out(left ? `${onLeft}\t${found.length - onLeft}\n` : `${found.length}\n`);
		return 0;
	}
	const how = {
		isOneline: options.has('oneline'),
		isAbbreviated: options.has('oneline') || options.has('abbreviate'),
		showsParents: options.has('parents'),
		format: options.get('format')
	};
	for (const revision of options.has('reverse') ? found.reverse() : found) {
		const sign = left === null ? '' : left.has(revision.id) ? '<' : '>';
		git.out(printed(repository, revision, sign, how));
	}
	return 0;
};

interface PrintHow {
	isOneline: boolean;
	isAbbreviated: boolean;
	showsParents: boolean;
	format: string | undefined;
}

/** Lines that show one commit. */
function printed(repository: Repository, revision: Revision, sign: string, how: PrintHow): string {
	const { id, commit } = revision;
	const text = (format: string) =>
		formatCommit(repository, revision, {
			...parseFormat(format),
			abbreviate: how.isOneline,
			date: 'default',
			decorate: false
		});
	if (how.isOneline || how.format === 'oneline') return `${sign}${text('oneline')}\n`;
	const name = how.isAbbreviated ? repository.objects.abbreviate(id) : id;
	const parents = how.showsParents ? commit.parents.map((parent) => ` ${parent}`).join('') : '';
	if (how.format === undefined) return `${sign}${name}${parents}\n`;
	const body = text(how.format);
	return `commit ${sign}${name}${parents}\n${body === '' ? '' : `${body}\n`}`;
}
