import { namedStarts } from '../history/named-starts.ts';
import { selectHistory, SELECTION_OPTIONS } from '../history/selection.ts';
import type { Command } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';

/** Counts commits by author. Without a revision it uses HEAD: there is no log on stdin to read. */
export const shortlog: Command = (git, args) => {
	const starts = namedStarts(git, args);
	const options = parseOptions('shortlog [<options>] [<revision-range>] [[--] <path>...]', starts.args, {
		...SELECTION_OPTIONS,
		count: '--max-count =',
		summary: '-s --summary',
		numbered: '-n --numbered',
		email: '-e --email',
		byCommitter: '-c'
	});
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const names = starts.isNamed || revisions.length > 0 ? revisions : ['HEAD'];
	const pathspec = new Pathspec(repository, paths);
	const people = new Map<string, string[]>();
	for (const { commit } of selectHistory(repository, options, { names, pathspec })) {
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
