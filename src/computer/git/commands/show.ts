import { decode } from '../bytes.ts';
import { diffFormat, formatHow } from '../diff/options.ts';
import type { Command } from '../invocation.ts';
import { formatDate } from '../history/dates.ts';
import { parseSignature } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { resolveRevision } from '../refs/revision.ts';
import { isDirectory } from '../objects/tree.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { parseRange, walkHistory } from '../history/walk.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { firstParentChanges, LOG_OPTIONS, logFormat, LogPrinter } from './log.ts';

export const show: Command = (git, args) => {
	const options = parseOptions('show [<options>] [<object>...]', args, {
		...LOG_OPTIONS,
		firstParent: '-m --first-parent',
		combined: '-c --cc'
	});
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const pathspec = new Pathspec(repository, paths);
	const shown = diffFormat(options, true, formatHow(git, true));
	const printer = new LogPrinter(
		git,
		logFormat(git, options),
		shown,
		(revision) =>
			firstParentChanges(repository, revision, pathspec, options, !shown.patch || options.has('firstParent')),
		true
	);
	const names = revisions.length === 0 ? ['HEAD'] : revisions;
	for (const text of names) {
		if (text.includes('..')) {
			for (const revision of walkHistory(repository, parseRange(repository, [text]))) printer.print(revision);
			continue;
		}
		let id = resolveRevision(repository, text);
		for (let object = repository.objects.find(id); object?.type === 'tag'; object = repository.objects.find(id)) {
			const tag = decode(object.content);
			const name = /^tag (.*)$/m.exec(tag)?.[1] ?? '';
			const tagger = /^tagger (.*) (\d+ [+-]\d+)$/m.exec(tag);
			git.out(
				`tag ${name}\n${tagger ? `Tagger: ${tagger[1]}\nDate:   ${formatDate(parseSignature(`${tagger[1]} ${tagger[2]}`), 'default', 0)}\n` : ''}\n${tag.slice(tag.indexOf('\n\n') + 2)}\n`
			);
			id = tag.slice(7, 47);
		}
		const object = repository.objects.find(id);
		if (object?.type === 'blob') git.out(object.content);
		else if (object?.type === 'tree') {
			git.out(`tree ${text}\n\n`);
			for (const entry of repository.objects.tree(id)) git.out(`${entry.name}${isDirectory(entry.mode) ? '/' : ''}\n`);
		} else printer.print({ id, commit: repository.commit(id) });
	}
	return 0;
};
