import { choosesColor, COLOR_RESET, slotColor } from '../color-choice.ts';
import type { Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { hasFailed, type PushItem } from './push-item.ts';

/** Options for the report of a push. */
export interface ReportHow {
	url: string;
	isPorcelain: boolean;
	/** Includes references that were up to date. */
	isVerbose: boolean;
}

/** Row of the report. */
interface Row {
	flag: string;
	summary: string;
	from: string | null;
	note: string | null;
}

/** Prints a line for each reference that a push updated or failed to update. */
export function reportPush(git: Invocation, items: readonly PushItem[], how: ReportHow): void {
	const shown = [
		...items.filter(({ state }) => how.isVerbose && state === 'up to date'),
		...items.filter(({ state }) => state === 'ok'),
		...items.filter(hasFailed)
	];
	if (shown.length === 0) return;
	const { objects } = git.repository;
	const write = (text: string) => (how.isPorcelain ? git.out(text) : git.err(text));
	const digits = items.flatMap(({ before, after }) => [before, after]).map((id) => objects.abbreviate(id).length);
	const width = 2 * Math.max(...digits) + 3;
	const isColored = choosesColor(git.repository.config, undefined, ['color.transport', 'color.ui'], () =>
		git.context.sync.isTerminal(2)
	);
	const red = isColored ? slotColor(git.repository, 'transport', 'rejected', 'red') : '';
	write(`To ${withoutSecret(how.url)}\n`);
	for (const item of shown) {
		const { flag, summary, from, note } = rowOf(git, item);
		const end = note === null ? '' : ` (${note})`;
		if (how.isPorcelain) {
			write(`${flag}\t${from ?? ''}:${item.name}\t${summary}${end}\n`);
			continue;
		}
		const [start, stop] = hasFailed(item) && isColored ? [red, COLOR_RESET] : ['', ''];
		const names = from === null ? shortened(item.name) : `${shortened(from)} -> ${shortened(item.name)}`;
		write(` ${start}${flag} ${summary.padEnd(width)}${stop} ${names}${end}\n`);
	}
}

function rowOf({ repository: { objects } }: Invocation, item: PushItem): Row {
	const { state, name, before, after, isRewind } = item;
	const isDeletion = after === NULL_ID;
	const row = { from: item.from, note: null };
	if (state === 'up to date') return { ...row, flag: '=', summary: '[up to date]' };
	const back = isDeletion ? null : item.from;
	if (state === 'refused there') return { flag: '!', summary: '[remote rejected]', from: back, note: item.reason };
	if (state === 'unreported')
		return { flag: '!', summary: '[remote failure]', from: back, note: 'remote failed to report status' };
	if (state !== 'ok')
		return { flag: '!', summary: '[rejected]', from: state.startsWith('remote does') ? null : item.from, note: state };
	if (isDeletion) return { flag: '-', summary: '[deleted]', from: null, note: null };
	if (before === NULL_ID) return { ...row, flag: '*', summary: `[new ${kindOf(name)}]` };
	const [old, next] = [objects.abbreviate(before), objects.abbreviate(after)];
	return isRewind
		? { ...row, flag: '+', summary: `${old}...${next}`, note: 'forced update' }
		: { ...row, flag: ' ', summary: `${old}..${next}` };
}

const kindOf = (name: string): string =>
	name.startsWith('refs/tags/') ? 'tag' : name.startsWith('refs/heads/') ? 'branch' : 'reference';

const shortened = (name: string): string => name.replace(/^refs\/(?:heads|tags|remotes)\//, '');

/** Removes user name and password from a URL. */
export const withoutSecret = (url: string): string => url.replace(/^([a-z]+:\/\/)[^@/]*@/i, '$1');

/** Advice on the rejected references: only the most specific applicable one. */
export function pushAdvice({ repository }: Invocation, items: readonly PushItem[]): string {
	const { config, refs } = repository;
	const current = refs.symbolic('HEAD');
	const has = (test: (item: PushItem) => boolean) => items.some(test);
	const rewound = items.filter(({ state }) => state === 'non-fast-forward');
	const choices: [key: string, isMet: boolean, text: string][] = [
		['pushnonffcurrent', rewound.some(({ name }) => name === current), PULL_FIRST],
		['pushnonffmatching', rewound.length > 0, CHECK_OUT_FIRST],
		['pushalreadyexists', has(({ state }) => state === 'already exists'), ALREADY_EXISTS],
		['pushfetchfirst', has(({ state }) => state === 'fetch first'), FETCH_FIRST],
		['pushneedsforce', has(({ state }) => state === 'needs force'), NEEDS_FORCE],
		['pushrefneedsupdate', has(({ state }) => state === 'remote ref updated since checkout'), NEEDS_UPDATE]
	];
	const choice = choices.find(([, isMet]) => isMet);
	if (!choice || !config.flag('advice.pushupdaterejected', true) || !config.flag(`advice.${choice[0]}`, true))
		return '';
	return choice[2]
		.split('\n')
		.map((line) => `hint:${line === '' ? '' : ' '}${line}\n`)
		.join('');
}

const NOTE = "See the 'Note about fast-forwards' in 'git push --help' for details.";
const PULL_FIRST =
	'Updates were rejected because the tip of your current branch is behind\n' +
	`its remote counterpart. Integrate the remote changes (e.g.\n'git pull ...') before pushing again.\n${NOTE}`;
const CHECK_OUT_FIRST =
	'Updates were rejected because a pushed branch tip is behind its remote\n' +
	'counterpart. Check out this branch and integrate the remote changes\n' +
	`(e.g. 'git pull ...') before pushing again.\n${NOTE}`;
const FETCH_FIRST =
	'Updates were rejected because the remote contains work that you do\n' +
	'not have locally. This is usually caused by another repository pushing\n' +
	'to the same ref. You may want to first integrate the remote changes\n' +
	`(e.g., 'git pull ...') before pushing again.\n${NOTE}`;
const ALREADY_EXISTS = 'Updates were rejected because the tag already exists in the remote.';
const NEEDS_FORCE =
	'You cannot update a remote ref that points at a non-commit object,\n' +
	'or update a remote ref to make it point at a non-commit object,\n' +
	"without using the '--force' option.\n";
const NEEDS_UPDATE =
	'Updates were rejected because the tip of the remote-tracking\n' +
	'branch has been updated since the last checkout. You may want\n' +
	"to integrate those changes locally (e.g., 'git pull ...')\n" +
	'before forcing an update.\n';
