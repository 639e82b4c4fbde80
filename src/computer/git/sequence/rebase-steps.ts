import { subjectOf } from '../objects/commit.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { findRevision, peel } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

/** Commands of a list with their abbreviations. */
const LETTERS = {
	pick: 'p',
	edit: 'e',
	reword: 'r',
	fixup: 'f',
	squash: 's',
	exec: 'x',
	break: 'b',
	label: 'l',
	reset: 't',
	merge: 'm',
	'update-ref': 'u',
	noop: '',
	drop: 'd'
} as const;

type RebaseAction = keyof typeof LETTERS;

/** One line of a rebase's todo list. */
export interface RebaseStep {
	action: RebaseAction;
	/** Commit; '' if the command has none. */
	id: string;
	/** `fixup` and `merge`: uses the message of the commit; with `-c`, the user edits it. */
	flag: '' | '-C' | '-c';
	/** Subject of the commit, or the command's argument: a command line, a label, a ref, commits to merge. */
	text: string;
}

export function pickStep(repository: Repository, id: string): RebaseStep {
	const { message, tree, parents } = repository.commit(id);
	const isEmpty = tree === (parents[0] === undefined ? EMPTY_TREE : repository.commit(parents[0]).tree);
	return { action: 'pick', id, flag: '', text: `${subjectOf(message)}${isEmpty ? ' # empty' : ''}` };
}

export const otherStep = (action: RebaseAction, text = ''): RebaseStep => ({ action, id: '', flag: '', text });

export const isMelting = (step: RebaseStep | undefined): boolean =>
	step?.action === 'fixup' || step?.action === 'squash';

/** Form of a list: abbreviated ids and commands are for the user. */
interface ListForm {
	shortIds?: boolean;
	letters?: boolean;
	/** Comment character; separates branches with a comment that names each. */
	mark?: string;
}

/** Todo list as git writes it. */
export function stepLines(repository: Repository, steps: readonly RebaseStep[], form: ListForm = {}): string {
	return steps
		.map(({ action, id, flag, text }, at) => {
			const word = form.letters && LETTERS[action] !== '' ? LETTERS[action] : action;
			const shown = id !== '' && form.shortIds ? repository.objects.abbreviate(id) : id;
			const above = action === 'reset' && form.mark !== undefined ? branchComment(steps, at, form.mark) : '';
			return `${above}${[word, flag, shown, text].filter((part) => part !== '').join(' ')}\n`;
		})
		.join('');
}

/** Comment above the steps of a branch, which names the label at their end. */
function branchComment(steps: readonly RebaseStep[], from: number, mark: string): string {
	const next = steps.findIndex(({ action }, at) => at > from && action === 'reset');
	const last = steps[(next < 0 ? steps.length : next) - 1];
	return last?.action === 'label' ? `\n${mark} Branch ${last.text}\n` : '\n';
}

/** Parsed steps of a list, and errors in its lines. */
export interface ReadSteps {
	steps: RebaseStep[];
	/** Lines of git's messages for the errors. */
	faults: string[];
}

/** Parses a list. @param isUnderWay a commit precedes the first step, so that a step may be squashed into it */
export function readSteps(repository: Repository, text: string, isUnderWay: boolean, mark = '#'): ReadSteps {
	const read: ReadSteps = { steps: [], faults: [] };
	let canMelt = isUnderWay;
	for (const [at, raw] of text.replace(/\n$/, '').split('\n').entries()) {
		const line = raw.replace(/\r$/, '');
		const trimmed = line.replace(/^[ \t]+/, '');
		if (trimmed === '' || trimmed.startsWith(mark)) continue;
		const step = readStep(repository, trimmed);
		if (typeof step === 'string') {
			read.faults.push(...(step === '' ? [] : [step]), `error: invalid line ${at + 1}: ${line}`);
			continue;
		}
		if (!canMelt && isMelting(step)) {
			read.faults.push(`error: cannot '${step.action}' without a previous commit`);
			break;
		}
		canMelt ||= step.action !== 'noop' && step.action !== 'drop';
		read.steps.push(step);
	}
	return read;
}

/** Parses one line; returns git's message if it is invalid. */
function readStep(repository: Repository, line: string): RebaseStep | string {
	const [, word = '', space = '', rest = ''] = /^(\S+)([ \t]*)(.*)$/.exec(line) ?? [];
	const action = (Object.keys(LETTERS) as RebaseAction[]).find((name) => name === word || LETTERS[name] === word);
	if (!action) return '';
	if (action === 'noop' || action === 'break')
		return rest === '' ? otherStep(action) : `error: ${action} does not accept arguments: '${rest}'`;
	if (space === '') return `error: missing arguments for ${action}`;
	if (action === 'exec' || action === 'label' || action === 'reset' || action === 'update-ref')
		return otherStep(action, rest);
	const [, flag = '', about = rest] =
		action === 'fixup' || action === 'merge' ? (/^(-[cC])[ \t]+(.*)$/.exec(rest) ?? []) : [];
	if (action === 'merge' && flag === '') return otherStep('merge', rest);
	const [, name = '', text = ''] = /^(\S*)[ \t]*(.*)$/.exec(about) ?? [];
	const found = findRevision(repository, name);
	if (found === null) return `error: could not parse '${name}'`;
	const id = peel(repository, found, 'commit');
	return id === null ? '' : { action, id, flag: flag as RebaseStep['flag'], text };
}
