import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Answer, Case } from './suite.ts';

/** A part of a suite's cases, for a machine without time for all of them at once: the third of ten is `3/10`. */
export interface Part {
	number: number;
	of: number;
}

/** Answers of some cases, in order. */
export interface Answers {
	native: (Answer | null)[];
	answers: Answer[];
	/** Answers of the suite's peer, if it has one. */
	peer: Answer[];
}

const FOLDER = 'test-results/conformance/parts';

/** Parses `CONFORMANCE_PART`. @throws Error if the text is not a part */
export function partOf(text: string | undefined): Part | null {
	if (text === undefined || text === '') return null;
	const [, number, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
	if (!number || !of || number > of) throw new Error(`CONFORMANCE_PART is like 3/10, not ${text}.`);
	return { number, of };
}

/** The cases of one part: every n-th, so that slow groups are distributed over all parts. */
export function casesOf<One>(cases: readonly One[], { number, of }: Part): One[] {
	return cases.filter((_one, index) => index % of === number - 1);
}

const fileOf = (suite: string, { number, of }: Part): string => path.join(FOLDER, `${suite}-${number}-of-${of}.json`);

/** Saves the answers of a part. The first part starts a new run. */
export async function keepPart(suite: string, part: Part, answers: Answers): Promise<void> {
	await mkdir(FOLDER, { recursive: true });
	if (part.number === 1)
		for (let number = 2; number <= part.of; number++) await rm(fileOf(suite, { ...part, number }), { force: true });
	await writeFile(fileOf(suite, part), JSON.stringify(answers));
}

/** Answers of all cases, in order, once every part has run; null before. */
export async function joinParts(suite: string, { of }: Part, cases: readonly Case[]): Promise<Answers | null> {
	const joined: Answers = { native: [], answers: [], peer: [] };
	for (let number = 1; number <= of; number++) {
		const file = fileOf(suite, { number, of });
		if (!existsSync(file)) return null;
		const { native, answers, peer } = JSON.parse(await readFile(file, 'utf8')) as Answers;
		for (const at of casesOf([...cases.keys()], { number, of }).entries()) {
			const [index, place] = at;
			joined.native[place] = native[index] ?? null;
			joined.answers[place] = answers[index] ?? { stdout: '', status: null };
			if (peer[index]) joined.peer[place] = peer[index];
		}
	}
	return joined;
}
