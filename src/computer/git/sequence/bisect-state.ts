import { encode } from '../bytes.ts';
import { failure } from '../errors.ts';
import { subjectOf } from '../objects/commit.ts';
import { isBranchName } from '../refs/ref-format.ts';
import type { Repository } from '../repository.ts';
import { forget } from './replay.ts';

export type Verdict = 'bad' | 'good';

/** Bisection in progress. */
export interface Bisect {
	/** Branch or commit it started from. */
	start: string;
	terms: Record<Verdict, string>;
	bad: string | null;
	good: string[];
	skipped: Set<string>;
	/** Paths of which a commit must change one to be considered. */
	paths: string[];
	firstParent: boolean;
	/** `--no-checkout`: `BISECT_HEAD` names the commit to test. */
	isDetached: boolean;
}

const FILES = [
	...['START', 'LOG', 'TERMS', 'NAMES', 'EXPECTED_REV', 'ANCESTORS_OK', 'FIRST_PARENT', 'RUN'].map(
		(name) => `BISECT_${name}`
	),
	'refs/bisect'
];

/** Terms of a bisection; null if none were chosen yet. */
export function chosenTerms(repository: Repository): Record<Verdict, string> | null {
	const [bad, good] = repository.note('BISECT_TERMS')?.trim().split('\n') ?? [];
	return bad === undefined || good === undefined ? null : { bad, good };
}

/** Reads the state; null if no bisection is in progress. */
export function readBisect(repository: Repository): Bisect | null {
	const start = repository.note('BISECT_START')?.trim();
	if (start === undefined || start === '') return null;
	const terms = chosenTerms(repository) ?? { bad: 'bad', good: 'good' };
	const bisect: Bisect = {
		start,
		terms,
		bad: null,
		good: [],
		skipped: new Set(),
		paths: [...(repository.note('BISECT_NAMES') ?? '').matchAll(/'((?:[^']|'\\'')*)'/g)].map(([, word = '']) =>
			word.replaceAll("'\\''", "'")
		),
		firstParent: repository.note('BISECT_FIRST_PARENT') !== null,
		isDetached: repository.note('BISECT_HEAD') !== null
	};
	for (const { name, id } of repository.refs.list('refs/bisect/')) {
		const word = name.slice('refs/bisect/'.length);
		if (word === terms.bad) bisect.bad = id;
		else if (word.startsWith(`${terms.good}-`)) bisect.good.push(id);
		else if (word.startsWith('skip-')) bisect.skipped.add(id);
	}
	return bisect;
}

const COMMANDS = ['help', 'start', 'skip', 'next', 'reset', 'visualize', 'view', 'replay', 'log', 'run', 'terms'];

/** Sets the terms of a bisection. @throws GitError for terms with another meaning */
export function chooseTerms(repository: Repository, terms: Record<Verdict, string>): void {
	if (terms.bad === terms.good) throw failure('please use two different terms');
	for (const [verdict, others] of [
		['bad', ['good', 'old']],
		['good', ['bad', 'new']]
	] as const) {
		const term = terms[verdict];
		if (!isBranchName(term)) throw failure(`'${term}' is not a valid term`);
		if (COMMANDS.includes(term)) throw failure(`can't use the builtin command '${term}' as a term`);
		if ((others as readonly string[]).includes(term)) throw failure(`can't change the meaning of the term '${term}'`);
	}
	repository.files.writeFile(`${repository.gitDir}/BISECT_TERMS`, encode(`${terms.bad}\n${terms.good}\n`));
}

export function endBisect(repository: Repository): void {
	for (const { name } of repository.refs.list('refs/bisect/')) repository.refs.delete(name);
	forget(repository, ...FILES, 'BISECT_HEAD');
}

export function appendLog(repository: Repository, line: string): void {
	repository.files.appendFile(`${repository.gitDir}/BISECT_LOG`, encode(line));
}

/** Formats a commit as `[<id>] <subject>`. */
export const titled = (repository: Repository, id: string): string =>
	`[${id}] ${subjectOf(repository.commit(id).message)}`;

/** Records whether a commit is good or bad. */
export function markCommit(repository: Repository, term: string, id: string, isBad: boolean): void {
	repository.refs.note(isBad ? `refs/bisect/${term}` : `refs/bisect/${term}-${id}`, id);
	appendLog(repository, `# ${term}: ${titled(repository, id)}\n`);
}
