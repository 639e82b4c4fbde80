import { encode } from '../bytes.ts';
import { signedOff } from '../history/trailers.ts';
import type { Repository } from '../repository.ts';
import type { RebaseStep } from './rebase-steps.ts';
import { forget } from './replay.ts';

/** State files: `all` has all messages with headings, `fixup` the message to use if no squash needs an edited one. */
const FILES = {
	all: 'rebase-merge/message-squash',
	fixup: 'rebase-merge/message-fixup',
	list: 'rebase-merge/current-fixups'
};

const HEADINGS = {
	count: (number: number) => `# This is a combination of ${number} commits.`,
	kept: (number: number) =>
		number === 1 ? '# This is the 1st commit message:' : `# This is the commit message #${number}:`,
	skipped: (number: number) =>
		number === 1 ? '# The 1st commit message will be skipped:' : `# The commit message #${number} will be skipped:`
};

/** Steps squashed into HEAD so far: `fixup <id>` and `squash <id>`. */
const meltedSteps = (repository: Repository): string[] =>
	(repository.note(FILES.list) ?? '').split('\n').filter((line) => line !== '');

export const isMeltingUnderWay = (repository: Repository): boolean => meltedSteps(repository).length > 0;

/** Returns whether the series has a `squash`, so that the user edits the combined message. */
export const meltsSquash = (repository: Repository): boolean =>
	meltedSteps(repository).some((line) => line.startsWith('squash '));

/** Messages of all commits so far, with headings. */
export const messageOfAll = (repository: Repository): string => repository.note(FILES.all) ?? '';

/** Message to use without an editor; null if the user edits the combined message. */
export const messageThatStays = (repository: Repository): string | null => repository.note(FILES.fixup);

/** Ends a series of squashed steps. */
export const endMelting = (repository: Repository): void => forget(repository, ...Object.values(FILES));

/** Adds the message of a commit to those combined with HEAD's. */
export function collectMessage(repository: Repository, step: RebaseStep, signsOff: boolean): void {
	const steps = meltedSteps(repository);
	const replaces = step.action === 'fixup' && step.flag !== '';
	const hasSquash = meltsSquash(repository);
	const body = withoutBlankStart(repository.commit(step.id).message);
	const before =
		steps.length > 0 ? continued(repository, steps.length, replaces && !hasSquash) : first(repository, step);
	const number = steps.length + 2;
	const write = (name: string, text: string) =>
		repository.files.writeFile(`${repository.gitDir}/${name}`, encode(text));
	if (step.action === 'fixup' && !replaces)
		write(FILES.all, `${before}\n${HEADINGS.skipped(number)}\n\n${commented(body)}`);
	else {
		const isMarked =
			body.startsWith('amend!') || ((step.action === 'squash' || hasSquash) && /^(?:squash|fixup)!/.test(body));
		const subject = isMarked ? (/^[^]*?(?:\n(?=\s*\n)|\n?$)/.exec(body)?.[0] ?? '') : '';
		const own = body.slice(subject.length);
		const signed = replaces && !hasSquash && signsOff ? signedOff(repository, own) : own;
		const isKept = replaces && step.flag === '-C' && !hasSquash;
		const canStay = repository.note(FILES.fixup) !== null || repository.note(FILES.all) === null;
		if (isKept && canStay) write(FILES.fixup, withoutBlankStart(signed));
		else forget(repository, FILES.fixup);
		write(FILES.all, `${before}\n${HEADINGS.kept(number)}\n\n${commented(subject)}${signed}`);
	}
	write(FILES.list, [...steps, `${step.action} ${step.id}`].join('\n'));
}

/** Removes the last step, which the user skipped. Returns the number of remaining ones. */
export function forgetLastMelted(repository: Repository): number {
	const steps = meltedSteps(repository).slice(0, -1);
	repository.files.writeFile(`${repository.gitDir}/${FILES.list}`, encode(steps.join('\n')));
	return steps.length;
}

/** Resets the combined message to a single one. */
export function resetMessageOfAll(repository: Repository, message: string): void {
	repository.files.writeFile(`${repository.gitDir}/${FILES.all}`, encode(message));
}

const withoutBlankStart = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '');

function first(repository: Repository, step: RebaseStep): string {
	const body = withoutBlankStart(repository.commit(repository.head() ?? '').message);
	const replaces = step.action === 'fixup' && step.flag !== '';
	if (step.action === 'fixup' && !replaces)
		repository.files.writeFile(`${repository.gitDir}/${FILES.fixup}`, encode(body));
	const heading = replaces ? HEADINGS.skipped(1) : HEADINGS.kept(1);
	return `${HEADINGS.count(2)}\n${heading}\n\n${replaces ? commented(body) : body}`;
}

/** Combined message with an updated count in its heading. @param skips marks all messages so far as skipped */
function continued(repository: Repository, count: number, skips: boolean): string {
	const text = messageOfAll(repository);
	const rest = text.startsWith('#') ? text.replace(/^.*\n?/, '') : text;
	return `${HEADINGS.count(count + 2)}\n${skips ? allSkipped(rest) : rest}`;
}

/** Comments out all messages. */
function allSkipped(text: string): string {
	const lines = text.split('\n');
	const result: string[] = [];
	let number = 1;
	let isCommented = false;
	for (const [at, line] of lines.entries()) {
		const isHeading = line === HEADINGS.kept(number) || line === HEADINGS.skipped(number);
		if (isHeading) {
			isCommented = line === HEADINGS.kept(number);
			result.push(HEADINGS.skipped(number));
			number++;
			continue;
		}
		const next = lines[at + 1];
		const isAround = line === '' && (next === undefined || lines[at - 1]?.startsWith(HEADINGS.skipped(number - 1)));
		const isBefore = next === HEADINGS.kept(number) || next === HEADINGS.skipped(number);
		const isBetween = line === '' && (isAround || isBefore || lines[at - 1] === HEADINGS.kept(number - 1));
		result.push(isCommented && !isBetween ? comment(line) : line);
	}
	return result.join('\n');
}

const comment = (line: string): string => (line.startsWith('#') ? line : line === '' ? '#' : `# ${line}`);

const commented = (text: string): string =>
	text === ''
		? ''
		: `${text
				.replace(/\n$/, '')
				.split('\n')
				.map((line) => (line === '' ? '#' : `# ${line}`))
				.join('\n')}\n`;
