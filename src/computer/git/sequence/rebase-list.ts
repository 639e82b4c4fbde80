import { encode } from '../bytes.ts';
import { chosenEditor, editFile } from '../editor.ts';
import { fatal, GitError } from '../errors.ts';
import { cleanMessage } from '../history/commit-message.ts';
import type { Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { findRevision, peel } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { isMelting, otherStep, readSteps, stepLines, type RebaseStep } from './rebase-steps.ts';

const MARK = /^(?:fixup|squash|amend)!\s+/;

/** Moves each `fixup!`, `squash!` and `amend!` commit after the commit it applies to. */
export function autosquashed(repository: Repository, steps: readonly RebaseStep[]): RebaseStep[] {
	const subjects = steps.map(({ id }) => (id === '' ? null : subjectOf(repository.commit(id).message)));
	const order: number[] = [];
	/** Last step that was moved after a step, by the position of the latter. */
	const last = new Map<number, number>();
	const moved = new Set<number>();
	for (const [at, subject] of subjects.entries()) {
		const isMarked = subject !== null && steps[at]?.action !== 'drop' && MARK.test(subject);
		const target = isMarked ? targetOf(repository, steps, subjects, at) : -1;
		if (target < 0) {
			order.push(at);
			continue;
		}
		order.splice(order.indexOf(last.get(target) ?? target) + 1, 0, at);
		last.set(target, at);
		moved.add(at);
	}
	return order.map((at) => (moved.has(at) ? melting(steps[at]!, subjects[at] ?? '') : steps[at]!));
}

function melting(step: RebaseStep, subject: string): RebaseStep {
	if (subject.startsWith('squash!')) return { ...step, action: 'squash' };
	return { ...step, action: 'fixup', flag: subject.startsWith('amend!') ? '-C' : '' };
}

/** Position of the step that a marked commit applies to, by title, commit or prefix of a title; -1 if there is none. */
function targetOf(
	repository: Repository,
	steps: readonly RebaseStep[],
	subjects: readonly (string | null)[],
	at: number
): number {
	let about = subjects[at] ?? '';
	while (MARK.test(about)) about = about.replace(MARK, '');
	const before = subjects.slice(0, at);
	const byTitle = before.indexOf(about);
	if (byTitle >= 0) return byTitle;
	const found = about.includes(' ') ? null : findRevision(repository, about);
	const id = found === null ? null : peel(repository, found, 'commit');
	const byCommit = id === null ? -1 : steps.slice(0, at).findIndex((step) => step.id === id);
	return byCommit >= 0 ? byCommit : before.findIndex((subject) => subject?.startsWith(about) === true);
}

/** `--exec`: adds the commands after each commit together with the commits squashed into it. */
export function withCommands(steps: readonly RebaseStep[], commands: readonly string[]): RebaseStep[] {
	const added = commands.map((command) => otherStep('exec', command));
	return steps.flatMap((step, at) => {
		const isMade = ['pick', 'fixup', 'squash', 'merge'].includes(step.action);
		return isMade && !isMelting(steps[at + 1]) ? [step, ...added] : [step];
	});
}

const HELP = `
Commands:
p, pick <commit> = use commit
r, reword <commit> = use commit, but edit the commit message
e, edit <commit> = use commit, but stop for amending
s, squash <commit> = use commit, but meld into previous commit
f, fixup [-C | -c] <commit> = like "squash" but keep only the previous
                   commit's log message, unless -C is used, in which case
                   keep only this commit's message; -c is same as -C but
                   opens the editor
x, exec <command> = run command (the rest of the line) using shell
b, break = stop here (continue rebase later with 'git rebase --continue')
d, drop <commit> = remove commit
l, label <label> = label current HEAD with a name
t, reset <label> = reset HEAD to a label
m, merge [-C <commit> | -c <commit>] <label> [# <oneline>]
        create a merge commit using the original merge commit's
        message (or the oneline, if no original merge commit was
        specified); use -c <commit> to reword the commit message
u, update-ref <ref> = track a placeholder for the <ref> to be updated
                      to this position in the new commits. The <ref> is
                      updated at the end of the rebase

These lines can be re-ordered; they are executed from top to bottom.
`;

const IS_LOST = '\nIf you remove a line here THAT COMMIT WILL BE LOST.\n';
const IS_REFUSED = "\nDo not remove any line. Use 'drop' explicitly to remove a commit.\n";
const WOULD_ABORT = '\nHowever, if you remove everything, the rebase will be aborted.\n\n';
const IS_UNDER_WAY = `
You are editing the todo file of an ongoing interactive rebase.
To continue rebase after editing, run:
    git rebase --continue

`;

/** Advice for a list with errors. */
export const FAULTY_LIST = `You can fix this with 'git rebase --edit-todo' and then run 'git rebase --continue'.
Or you can abort the rebase with 'git rebase --abort'.
`;

const TODO = 'rebase-merge/git-rebase-todo';
const BACKUP = `${TODO}.backup`;
/** File that marks a list from which commits were removed although that is not allowed. */
const DROPPED = 'rebase-merge/dropped';

/** Result of editing a list: its steps, or that it is empty, or that it has errors, which were reported. */
export type EditedList = { steps: RebaseStep[] } | 'empty' | 'faulty';

/**
 * Opens the list in the editor.
 *
 * @param about first line of the comments at the start of a rebase; null for one in progress
 * @throws GitError if there is no editor or it fails
 */
export function editSteps(git: Invocation, text: string, about: string | null): EditedList {
	const { repository } = git;
	const { files, gitDir, config } = repository;
	const editor = chosenEditor(git, true);
	if (editor === null) {
		throw fatal(
			'there is no editor here for the list of commits. Set GIT_SEQUENCE_EDITOR to a command that changes it ' +
				`(GIT_SEQUENCE_EDITOR="sed -i '2s/^pick/squash/'" git rebase -i HEAD~3), or to : to take it as it is`
		);
	}
	const mark = config.get('core.commentchar')?.replace('auto', '#').slice(0, 1) ?? '#';
	const isUnderWay = about === null;
	const before = readSteps(repository, text, repository.note('rebase-merge/done') !== null, mark);
	const wasFaulty = isUnderWay && (before.faults.length > 0 || repository.note(DROPPED) !== null);
	const letters = config.flag('rebase.abbreviatecommands', false);
	const form = { shortIds: true, letters, ...(isUnderWay ? {} : { mark }) };
	const shown = before.faults.length > 0 ? text : stepLines(repository, before.steps, form) || 'noop\n';
	const isStrict = config.get('rebase.missingcommitscheck')?.toLowerCase() === 'error';
	const help = HELP + (isStrict ? IS_REFUSED : IS_LOST) + (isUnderWay ? IS_UNDER_WAY : WOULD_ABORT);
	const heading = about === null ? '' : `\n${mark} ${about}\n`;
	files.mkdir(`${gitDir}/rebase-merge`, { recursive: true });
	if (!wasFaulty) files.writeFile(`${gitDir}/${BACKUP}`, encode(stepLines(repository, before.steps)));
	const edited = cleanMessage(editFile(git, editor, TODO, `${shown}${heading}${commented(help, mark)}`), true, mark);
	if (!isUnderWay && edited === '') return 'empty';
	const after = readSteps(repository, edited, repository.note('rebase-merge/done') !== null, mark);
	if (after.faults.length > 0) {
		git.err(`${after.faults.join('\n')}\n${FAULTY_LIST}`);
		return 'faulty';
	}
	const known = wasFaulty ? readSteps(repository, repository.note(BACKUP) ?? '', true, mark).steps : before.steps;
	if (!isComplete(git, known, after.steps)) {
		files.writeFile(`${gitDir}/${DROPPED}`, new Uint8Array(0));
		return 'faulty';
	}
	files.remove(`${gitDir}/${DROPPED}`, { force: true });
	files.writeFile(`${gitDir}/${TODO}`, encode(stepLines(repository, after.steps)));
	return { steps: after.steps };
}

const commented = (text: string, mark: string): string =>
	text
		.replace(/\n$/, '')
		.split('\n')
		.map((line) => (line === '' ? `${mark}\n` : `${mark} ${line}\n`))
		.join('');

/** Reports commits missing in a list, by `rebase.missingCommitsCheck`. Returns false if that is an error. */
function isComplete(git: Invocation, before: readonly RebaseStep[], after: readonly RebaseStep[]): boolean {
	const { repository } = git;
	const given = repository.config.get('rebase.missingcommitscheck');
	const level = given?.toLowerCase() ?? 'ignore';
	if (level !== 'warn' && level !== 'error') {
		if (level !== 'ignore')
			git.err(`warning: unrecognized setting ${given} for option rebase.missingCommitsCheck. Ignoring.\n`);
		return true;
	}
	const seen = new Set(after.map(({ id }) => id));
	const gone = before.filter(({ id }) => id !== '' && !seen.has(id)).reverse();
	if (gone.length === 0) return true;
	const list = gone.map(({ id, text }) => ` - ${repository.objects.abbreviate(id)} ${text}\n`).join('');
	git.err(
		`Warning: some commits may have been dropped accidentally.\nDropped commits (newer to older):\n${list}` +
			'To avoid this message, use "drop" to explicitly remove a commit.\n\n' +
			"Use 'git config rebase.missingCommitsCheck' to change the level of warnings.\n" +
			`The possible behaviours are: ignore, warn, error.\n\n${level === 'error' ? FAULTY_LIST : ''}`
	);
	return level === 'warn';
}

/** Checks a list before the rebase continues. @throws GitError if commits were removed that must not be */
export function checkDropped(git: Invocation, steps: readonly RebaseStep[]): void {
	const { repository } = git;
	if (repository.note(DROPPED) === null) return;
	const known = readSteps(repository, repository.note(BACKUP) ?? '', true).steps;
	if (!isComplete(git, known, steps)) throw new GitError('', 1);
	repository.files.remove(`${repository.gitDir}/${DROPPED}`, { force: true });
}
