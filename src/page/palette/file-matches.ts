import fuzzysort from 'fuzzysort';
import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Part of a name; `matched`: part of what the user typed. */
export interface NamePart {
	text: string;
	matched: boolean;
}

/** A matching file with its name and folder. */
interface FileMatch {
	path: string;
	name: readonly NamePart[];
	/** Empty at the top level of the project. */
	folder: string;
	recent: boolean;
}

const MOST_SHOWN = 40;
/** A recently displayed file outranks another one that matches about as well. */
const RECENT_BONUS = 0.15;

/** Files of the project that are not ignored, newest first, relative to the working directory. */
export async function listFiles(environment: ExecutionEnvironment): Promise<string[]> {
	const root = `${environment.workingDirectory()}/`;
	const found = await environment.glob('**/*', '.');
	return found.map((path) => (path.startsWith(root) ? path.slice(root.length) : path));
}

/** Files that match `query`, best first. Without a query: recent files, then the newest. */
export function matchFiles(paths: readonly string[], recent: readonly string[], query: string): FileMatch[] {
	const known = new Set(paths);
	const ranks = new Map(recent.filter((path) => known.has(path)).map((path, rank) => [path, rank]));
	if (query.trim() === '') {
		const rest = paths.filter((path) => !ranks.has(path));
		return [...ranks.keys(), ...rest].slice(0, MOST_SHOWN).map((path) => toMatch(path, new Set(), ranks.has(path)));
	}
	const bonus = (path: string): number => {
		const rank = ranks.get(path);
		return rank === undefined ? 0 : RECENT_BONUS * (1 - rank / (recent.length + 1));
	};
	const found = fuzzysort.go(query, paths, {
		limit: MOST_SHOWN,
		threshold: 0.2,
		scoreFn: ({ score, target }) => score + bonus(target)
	});
	return found.map(({ target, indexes }) => toMatch(target, new Set(indexes), ranks.has(target)));
}

/** Splits a label into parts by where it contains one of these words, case-insensitively. */
export function partsByWords(label: string, words: readonly string[]): NamePart[] {
	const lower = label.toLowerCase();
	const marked = new Set<number>();
	for (const word of words) {
		const at = lower.indexOf(word);
		for (let index = at; at >= 0 && index < at + word.length; index++) marked.add(index);
	}
	return partsOf(label, 0, marked);
}

function toMatch(path: string, indexes: ReadonlySet<number>, recent: boolean): FileMatch {
	const from = path.lastIndexOf('/') + 1;
	return { path, name: partsOf(path.slice(from), from, indexes), folder: path.slice(0, Math.max(0, from - 1)), recent };
}

function partsOf(text: string, offset: number, indexes: ReadonlySet<number>): NamePart[] {
	const parts: NamePart[] = [];
	for (let at = 0; at < text.length; at++) {
		const matched = indexes.has(offset + at);
		const last = parts.at(-1);
		if (last?.matched === matched) last.text += text[at];
		else parts.push({ text: text[at] ?? '', matched });
	}
	return parts;
}
