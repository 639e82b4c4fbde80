import { decode } from '../bytes.ts';
import { diffFormat, formatHow } from '../diff/options.ts';
import type { Command } from '../invocation.ts';
import { HISTORY_OPTIONS, historyFilter } from '../history/filter.ts';
import type { LogFormat } from '../history/commit-format.ts';
import { formatDate } from '../history/dates.ts';
import { parseSignature } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
import { resolveRevision } from '../refs/revision.ts';
import { isDirectory } from '../objects/tree.ts';
import type { Repository } from '../repository.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { differsFrom, parseRange, walkHistory, type Revision } from '../history/walk.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { LOG_OPTIONS, logFormat, withoutCleared } from '../history/log-format.ts';
import { MERGE_FORM_OPTIONS, mergeForm } from '../history/merge-form.ts';
import { ShownChanges } from '../history/shown-changes.ts';
import { LogPrinter } from './log.ts';

export const show: Command = (git, args) => {
	const options = parseOptions('show [<options>] [<object>...]', withoutCleared(args), {
		...LOG_OPTIONS,
		...HISTORY_OPTIONS,
		...MERGE_FORM_OPTIONS
	});
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const pathspec = new Pathspec(repository, paths);
	const shown = diffFormat(options, true, formatHow(git, true));
	const format = logFormat(git, options);
	const form = mergeForm(options, repository.config, 'dense');
	const changes = new ShownChanges(git, options, { pathspec, form });
	const printer = new LogPrinter(git, format, shown, {
		form,
		changesOf: (revision) => changes.of(revision),
		combinedOf: (revision) => changes.combined(revision, shown),
		viewsOf: (revision) => changes.views(revision)
	});
	const names = revisions.length === 0 ? ['HEAD'] : revisions;
	const isMergePicked = (revision: Revision) => changes.isAny(revision);
	const isChosen = historyFilter(repository, options, { pathspec, isMapped: format.isMapped, isMergePicked });
	/** Returns whether a commit changes the given paths: a merge, since each parent, unless it is merged again. */
	const touchesPaths = ({ commit }: Revision) => {
		const differs = (parent: string | null) => differsFrom(repository, parent, commit, pathspec);
		const parents = commit.parents.length === 0 ? [null] : commit.parents;
		return pathspec.isEmpty || (form === 'remerge' ? parents.some(differs) : parents.every(differs));
	};
	const isWanted = (revision: Revision) =>
		isChosen(revision) && touchesPaths(revision) && (!options.has('filter') || changes.isAny(revision));
	for (const text of names) {
		if (text.includes('..')) {
			for (const revision of walkHistory(repository, parseRange(repository, [text])))
				if (isWanted(revision)) printer.print(revision);
			continue;
		}
		let id = resolveRevision(repository, text);
		for (let object = repository.objects.find(id); object?.type === 'tag'; object = repository.objects.find(id)) {
			const tag = decode(object.content);
			git.out(printer.separator() + tagText(repository, tag, format));
			id = tag.slice(7, 47);
		}
		const object = repository.objects.find(id);
		if (object?.type === 'blob') git.out(object.content);
		else if (object?.type === 'tree') {
			git.out(`${printer.separator()}tree ${text}\n\n`);
			for (const entry of repository.objects.tree(id)) git.out(`${entry.name}${isDirectory(entry.mode) ? '/' : ''}\n`);
		} else {
			const revision = { id, commit: repository.commit(id) };
			if (isWanted(revision)) printer.print(revision);
		}
	}
	return 0;
};

/** Header and message of a tag, with as much about the tagger as the commit format shows. */
function tagText(repository: Repository, tag: string, { name, date }: LogFormat): string {
	const [head = ''] = tag.split('\n\n', 1);
	const [, who, time] = /^tagger (.*) (\d+ [+-]\d+)$/m.exec(head) ?? [];
	const isFuller = name === 'fuller';
	const when = formatDate(parseSignature(`${who} ${time}`), date, repository.files.now()) ?? '';
	const lines =
		who === undefined || name === 'oneline'
			? []
			: [
					`Tagger: ${isFuller ? '    ' : ''}${who}\n`,
					...(name === 'medium' ? [`Date:   ${when}\n`] : isFuller ? [`TaggerDate: ${when}\n`] : [])
				];
	const title = `tag ${/^tag (.*)$/m.exec(head)?.[1] ?? ''}\n`;
	return `${title}${lines.join('')}\n${tag.slice(head.length + 2)}`;
}
