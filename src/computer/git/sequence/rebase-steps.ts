import { chosenEditor, editFile } from '../editor.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { findRevision, resolveCommit } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

const ACTIONS = {
	p: 'pick',
	r: 'reword',
	e: 'edit',
	s: 'squash',
	f: 'fixup',
	d: 'drop',
	x: 'exec',
	b: 'break'
} as const;

export type RebaseAction = (typeof ACTIONS)[keyof typeof ACTIONS];

/** One line of a rebase's todo list. */
export interface RebaseStep {
	action: RebaseAction;
	/** The commit; '' for `exec` and `break`. */
	id: string;
	/** The command of `exec`. */
	command: string;
}

export const pickStep = (id: string): RebaseStep => ({ action: 'pick', id, command: '' });

/** Todo list as git writes it. @param short uses shortened ids, for the user */
export function stepLines(repository: Repository, steps: readonly RebaseStep[], short = false): string {
	return steps
		.map(({ action, id, command }) => {
			if (action === 'exec') return `exec ${command}\n`;
			if (id === '') return `${action}\n`;
			return `${action} ${short ? repository.objects.abbreviate(id) : id} ${subjectOf(repository.commit(id).message)}\n`;
		})
		.join('');
}

/** Reads a list. @throws GitError for a line that says nothing that can be done */
export function readSteps(repository: Repository, text: string): RebaseStep[] {
	const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
	return lines.flatMap((line): RebaseStep[] => {
		const [, word = '', rest = ''] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? [];
		if (word === 'noop') return [];
		const action = Object.entries(ACTIONS).find(([letter, name]) => word === letter || word === name)?.[1];
		if (!action) throw fatal(`the list of commits has a line that cannot be done here: ${line}`);
		if (action === 'exec') return [{ action, id: '', command: rest }];
		if (action === 'break') return [{ action, id: '', command: '' }];
		const name = rest.replace(/^-[cC]\s+/, '').split(/\s+/)[0] ?? '';
		if (findRevision(repository, name) === null) throw fatal(`could not parse '${name}' in the list of commits`);
		return [{ action, id: resolveCommit(repository, name), command: '' }];
	});
}

/** Moves each `fixup!` and `squash!` after its commit. */
export function autosquashed(repository: Repository, steps: readonly RebaseStep[]): RebaseStep[] {
	const subject = ({ id }: RebaseStep) => subjectOf(repository.commit(id).message);
	const result: RebaseStep[] = [];
	for (const step of steps) {
		const [, mark = '', about = ''] = /^((?:fixup! |squash! )+)(.*)$/.exec(subject(step)) ?? [];
		const target = result.findLastIndex(
			(known) => subject(known).replace(/^((fixup|squash)! )+/, '') === about || known.id.startsWith(about)
		);
		if (mark === '' || target < 0) result.push(step);
		else {
			let at = target + 1;
			while (result[at]?.action === 'fixup' || result[at]?.action === 'squash') at++;
			result.splice(at, 0, { ...step, action: mark.startsWith('squash') ? 'squash' : 'fixup' });
		}
	}
	return result;
}

/** `--exec`: the command after each commit, and after the commits squashed into it. */
export function withCommands(steps: readonly RebaseStep[], commands: readonly string[]): RebaseStep[] {
	const added = commands.map((command): RebaseStep => ({ action: 'exec', id: '', command }));
	return steps.flatMap((step, index) => {
		const next = steps[index + 1]?.action;
		return next === 'fixup' || next === 'squash' ? [step] : [step, ...added];
	});
}

const HELP = `
# Commands:
# p, pick <commit> = use commit
# r, reword <commit> = use commit, but edit the commit message
# e, edit <commit> = use commit, but stop for amending
# s, squash <commit> = use commit, but meld into previous commit
# f, fixup <commit> = like "squash" but keep only the previous commit's log message
# x, exec <command> = run command (the rest of the line) using shell
# b, break = stop here (continue rebase later with 'git rebase --continue')
# d, drop <commit> = remove commit
#
# These lines can be re-ordered; they are executed from top to bottom.
# If you remove a line here THAT COMMIT WILL BE LOST.
# However, if you remove everything, the rebase will be aborted.
`;

/** Lets the editor change the list. @throws GitError where there is no editor */
export function editSteps(git: Invocation, steps: readonly RebaseStep[], about: string): RebaseStep[] {
	const editor = chosenEditor(git, true);
	if (editor === null) {
		throw fatal(
			'there is no editor here for the list of commits. Set GIT_SEQUENCE_EDITOR to a command that changes it ' +
				`(GIT_SEQUENCE_EDITOR="sed -i '2s/^pick/squash/'" git rebase -i HEAD~3), or to : to take it as it is`
		);
	}
	const { files, gitDir } = git.repository;
	files.mkdir(`${gitDir}/rebase-merge`, { recursive: true });
	const text = `${stepLines(git.repository, steps, true) || 'noop\n'}\n# ${about}\n#${HELP}`;
	return readSteps(git.repository, editFile(git, editor, 'rebase-merge/git-rebase-todo', text));
}
