import { encode } from '../bytes.ts';
import { compareTrees } from '../diff/change.ts';
import { binaryBytes } from '../diff/lines.ts';
import { NO_DIFF } from '../diff/format.ts';
import { printChanges } from '../diff/print.ts';
import { findRenames } from '../diff/renames.ts';
import { walkHistory } from '../history/walk.ts';
import { SCISSORS } from '../history/commit-message.ts';
import type { Repository } from '../repository.ts';
import type { Invocation } from '../invocation.ts';
import type { MergeMessageForm } from './merge-message.ts';
import { formatDate } from '../history/dates.ts';

/** Reflog action: the command that started the merge, such as a pull. */
export const mergeAction = ({ env }: Pick<Invocation, 'env'>, names: string): string =>
	env['GIT_REFLOG_ACTION'] ?? `merge ${names}`;

/** Message printed when `--no-commit` or `--squash` leaves the commit to the user. */
export const STOPPED = 'Automatic merge went well; stopped before committing as requested\n';

/** Commit to merge, and options. */
export interface MergeHow {
	id: string;
	/** Name as given, used in the conflict markers. */
	name: string;
	message?: string | undefined;
	noFastForward: boolean;
	onlyFastForward: boolean;
	quiet: boolean;
	/** Applies the changes without recording the merged commits as parents. */
	squash?: boolean;
	/** Stops before the commit. */
	noCommit?: boolean;
	/** Stages resolutions recorded by rerere; if absent, as configured. */
	autoupdate?: boolean | undefined;
	/** Strategy options, as given. */
	strategyOptions?: readonly string[] | undefined;
	/** Keeps our tree as the result (strategy `ours`). */
	keepsOurs?: boolean;
	/** Their tree corresponds to a directory of ours, or vice versa. */
	isSubtree?: boolean;
	/** Adds a sign-off to the generated message. */
	signoff?: boolean;
	/** Allows histories without a common commit. */
	unrelated?: boolean;
	/** Shows which files changed, unless false. */
	showsStat?: boolean;
	/** Options for the generated message. */
	form?: MergeMessageForm;
	/** Options for editing the message. */
	text?: MergeText;
}

/** Options for editing and checking the message of a merge commit. */
export interface MergeText {
	/** Opens the editor or not; if absent, as git decides. */
	edits?: boolean | undefined;
	cleanup?: string | undefined;
	/** Runs the hooks that can reject the commit. */
	verifies: boolean;
}

/** Summarizes the changed files between two trees, with the number of changed lines. */
export function mergeSummary(git: Invocation, before: string, after: string): Uint8Array {
	const { repository } = git;
	const changes = findRenames(repository, compareTrees(repository.objects, before, after));
	return binaryBytes(printChanges(repository, changes, { ...NO_DIFF, stat: true, summary: true }));
}

/** Saves the messages of squashed commits for the next commit. */
export function noteSquash(git: Invocation, ids: readonly string[], head: string): void {
	const { repository } = git;
	repository.index.save();
	const range = { include: [...ids], exclude: [head] };
	const entries = [...walkHistory(repository, range)].map(({ id: one, commit: made }) => {
		const text = made.message.trimEnd().replace(/^(?=.)/gm, '    ');
		const author = `${made.author.name} <${made.author.email}>`;
		return `commit ${one}\nAuthor: ${author}\nDate:   ${formatDate(made.author, 'default', 0)}\n\n${text}\n`;
	});
	const text = `Squashed commit of the following:\n\n${entries.join('\n')}`;
	repository.files.writeFile(`${repository.gitDir}/SQUASH_MSG`, encode(text));
}

/** Comment that lists the paths in conflict, appended to a message. */
export function conflictNote(repository: Repository, paths: readonly string[], cleanup?: string): string {
	const mode = cleanup ?? repository.config.get('commit.cleanup');
	const cut = mode === 'scissors' ? `${CUT.map((line) => `# ${line}`.trimEnd()).join('\n')}\n` : '';
	return `\n${cut}# Conflicts:\n${paths.map((path) => `#\t${path}\n`).join('')}`;
}

const CUT = [SCISSORS, 'Do not modify or remove the line above.', 'Everything below it will be ignored.', ''];
