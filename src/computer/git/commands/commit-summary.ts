import { compareTrees } from '../diff/change.ts';
import { countChange } from '../diff/print.ts';
import { summaryLine } from '../diff/summary.ts';
import { findRenames } from '../diff/renames.ts';
import { sumLine } from '../diff/stat.ts';
import { formatDate } from '../history/dates.ts';
import { subjectOf, type Commit } from '../objects/commit.ts';
import type { Repository } from '../repository.ts';

/** `[main 1a2b3c4] Subject`, followed by a summary of the commit's changes. */
export function commitSummary(
	repository: Repository,
	id: string,
	made: Commit,
	options: { dateShown?: boolean } = {}
): string {
	const branch = repository.refs.currentBranch() ?? 'detached HEAD';
	const root = made.parents.length === 0 ? ' (root-commit)' : '';
	let text = `[${branch}${root} ${repository.objects.abbreviate(id)}] ${subjectOf(made.message)}\n`;
	const { author, committer } = made;
	const differs = author.name !== committer.name || author.email !== committer.email;
	if (differs) text += ` Author: ${author.name} <${author.email}>\n`;
	if (options.dateShown) text += ` Date: ${formatDate(author, 'default', 0)}\n`;
	if (made.parents.length > 1) return text;
	const parent = made.parents[0];
	const before = parent === undefined ? null : repository.commit(parent).tree;
	const changes = findRenames(repository, compareTrees(repository.objects, before, made.tree));
	let added = 0;
	let removed = 0;
	for (const change of changes) {
		const { counts } = countChange(repository, change);
		added += counts?.added ?? 0;
		removed += counts?.removed ?? 0;
	}
	return text + sumLine(changes.length, added, removed) + changes.map(summaryLine).join('');
}
