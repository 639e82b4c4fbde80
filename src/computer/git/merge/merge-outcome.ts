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

/** Names the command that led to a merge, such as a pull, for the history of references. */
export const mergeAction = ({ env }: Pick<Invocation, 'env'>, names: string): string =>
	env['GIT_REFLOG_ACTION'] ?? `merge ${names}`;

/** Said where `--no-commit` or `--squash` leaves the commit to the user. */
export const STOPPED = 'Automatic merge went well; stopped before committing as requested\n';

/** Commit to merge, and the way to do it. */
export interface MergeHow {
	id: string;
	/** Name as given, used in the conflict markers. */
	name: string;
	message?: string | undefined;
	noFastForward: boolean;
	onlyFastForward: boolean;
	quiet: boolean;
	/** Brings the changes without saying where they are from. */
	squash?: boolean;
	/** Stops before the commit. */
	noCommit?: boolean;
	/** Resolutions that are known are staged; as settings say, unless given. */
	autoupdate?: boolean | undefined;
	/** Options of the strategy, as given. */
	strategyOptions?: readonly string[] | undefined;
	/** The result is what we have, whatever they did. */
	keepsOurs?: boolean;
	/** Their tree is a directory of ours, or the other way round. */
	isSubtree?: boolean;
	/** The message that git finds is signed off. */
	signoff?: boolean;
	/** The two may have no commit in common. */
	unrelated?: boolean;
	/** Says which files changed, unless that is declined. */
	showsStat?: boolean;
	/** Parts of the message that git finds. */
	form?: MergeMessageForm;
	/** Treatment of the message where it is written. */
	text?: MergeText;
}

/** Way to the message of a merge's commit. */
export interface MergeText {
	/** The user edits it; declined, or left to git. */
	edits?: boolean | undefined;
	cleanup?: string | undefined;
	/** Hooks may refuse. */
	verifies: boolean;
}

/** Lines that say which files changed between two trees, and by how much. */
export function mergeSummary(git: Invocation, before: string, after: string): Uint8Array {
	const { repository } = git;
	const changes = findRenames(repository, compareTrees(repository.objects, before, after));
	return binaryBytes(printChanges(repository, changes, { ...NO_DIFF, stat: true, summary: true }));
}

/** Leaves all messages of what was squashed for the commit that is to follow. */
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

/** Comments that name the paths in conflict, below a message. */
export function conflictNote(repository: Repository, paths: readonly string[], cleanup?: string): string {
	const mode = cleanup ?? repository.config.get('commit.cleanup');
	const cut = mode === 'scissors' ? `${CUT.map((line) => `# ${line}`.trimEnd()).join('\n')}\n` : '';
	return `\n${cut}# Conflicts:\n${paths.map((path) => `#\t${path}\n`).join('')}`;
}

const CUT = [SCISSORS, 'Do not modify or remove the line above.', 'Everything below it will be ignored.', ''];
