import { encode } from '../bytes.ts';
import type { Repository } from '../repository.ts';
import { forget } from './replay.ts';

export type Verdict = 'bad' | 'good';

/** A search for a commit that is under way. */
export interface Bisect {
	/** The branch or commit it began on. */
	start: string;
	terms: Record<Verdict, string>;
	bad: string | null;
	good: string[];
	skipped: Set<string>;
	log: string;
}

const FILES = ['BISECT_START', 'BISECT_LOG', 'BISECT_TERMS', 'BISECT_NAMES', 'BISECT_EXPECTED_REV', 'refs/bisect'];

/** Null if no bisection is in progress. */
export function readBisect(repository: Repository): Bisect | null {
	const start = repository.note('BISECT_START')?.trim();
	if (start === undefined) return null;
	const [bad = 'bad', good = 'good'] = repository.note('BISECT_TERMS')?.trim().split('\n') ?? [];
	const bisect: Bisect = {
		start,
		terms: { bad, good },
		bad: null,
		good: [],
		skipped: new Set(),
		log: repository.note('BISECT_LOG') ?? ''
	};
	for (const { name, id } of repository.refs.list('refs/bisect/')) {
		const word = name.slice('refs/bisect/'.length);
		if (word === bad) bisect.bad = id;
		else if (word.startsWith(`${good}-`)) bisect.good.push(id);
		else if (word.startsWith('skip-')) bisect.skipped.add(id);
	}
	return bisect;
}

/** Starts or restarts a bisection. @param start commit or branch that `reset` returns to */
export function startBisect(repository: Repository, start: string, terms: Record<Verdict, string>): void {
	endBisect(repository);
	const write = (name: string, text: string) =>
		repository.files.writeFile(`${repository.gitDir}/${name}`, encode(text));
	write('BISECT_START', `${start}\n`);
	write('BISECT_TERMS', `${terms.bad}\n${terms.good}\n`);
	write('BISECT_NAMES', '\n');
	write('BISECT_LOG', '');
}

export const endBisect = (repository: Repository): void => forget(repository, ...FILES);

export function appendLog(repository: Repository, line: string): void {
	repository.files.appendFile(`${repository.gitDir}/BISECT_LOG`, encode(line));
}
