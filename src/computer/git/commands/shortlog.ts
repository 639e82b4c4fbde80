import { parseRange, walkHistory } from '../history/walk.ts';
import { historyFilter, HISTORY_OPTIONS, touches } from '../history/filter.ts';
import type { Command } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { idsOfRefs, namesRefs, splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';

/** Counts commits by author. Without a revision it uses HEAD: there is no log on stdin to read. */
export const shortlog: Command = (git, args) => {
	const options = parseOptions('shortlog [<options>] [<revision-range>] [[--] <path>...]', args, {
		...HISTORY_OPTIONS,
		count: '--max-count =',
		summary: '-s --summary',
		numbered: '-n --numbered',
		email: '-e --email',
		byCommitter: '-c'
	});
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const all = idsOfRefs(repository, options);
	const names = [...revisions, ...all];
	const range = parseRange(repository, names.length === 0 && !namesRefs(options) ? ['HEAD'] : names);
	const pathspec = new Pathspec(repository, paths);
	const wanted = historyFilter(repository, options);
	const people = new Map<string, string[]>();
	for (const revision of walkHistory(repository, range, options.has('firstParent'))) {
		if (!wanted(revision) || !touches(repository, revision, pathspec)) continue;
		const { commit } = revision;
		const { name, email } = options.has('byCommitter') ? commit.committer : commit.author;
		const person = options.has('email') ? `${name} <${email}>` : name;
		people.set(person, [subjectOf(commit.message), ...(people.get(person) ?? [])]);
	}
	const rows = [...people].sort(([a], [b]) => (a < b ? -1 : 1));
	if (options.has('numbered')) rows.sort(([, a], [, b]) => b.length - a.length);
	for (const [person, subjects] of rows) {
		if (options.has('summary')) git.out(`${String(subjects.length).padStart(6)}\t${person}\n`);
		else git.out(`${person} (${subjects.length}):\n${subjects.map((subject) => `      ${subject}\n`).join('')}\n`);
	}
	return 0;
};
