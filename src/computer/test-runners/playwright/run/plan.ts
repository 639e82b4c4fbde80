import type { ProjectConfig } from '../config.ts';
import { Suite, titlesOf, type TestCase } from './suite.ts';

/** Test of a project that will be run. */
export interface Planned {
	project: ProjectConfig;
	test: TestCase;
	/** Absolute path. */
	file: string;
}

export interface Wanted {
	grep: RegExp[];
	grepInvert: RegExp[];
	/** Substrings of paths, with a line if one was given. */
	filters: { path: string; line: number | null }[];
}

/** Selects the tests of one file that a command line requests. */
export function planFile(
	project: ProjectConfig,
	file: string,
	suite: Suite,
	relative: string,
	wanted: Wanted
): Planned[] {
	const lines = wanted.filters.filter(({ path }) => isPart(file, path));
	if (wanted.filters.length > 0 && lines.length === 0) return [];
	return suite.tests().flatMap((test) => {
		if (lines.length > 0 && lines.every(({ line }) => line !== null && line !== test.place.line)) return [];
		const tags = [...test.suite.path().flatMap((each) => each.tags), ...test.tags];
		const text = [project.name, relative, ...titlesOf(test), ...tags].filter((part) => part !== '').join(' ');
		const isWanted = [wanted.grep, project.grep].every(
			(patterns) => patterns.length === 0 || patterns.some((each) => matches(each, text))
		);
		const isLeftOut = [...wanted.grepInvert, ...project.grepInvert].some((each) => matches(each, text));
		return isWanted && !isLeftOut ? [{ project, test, file }] : [];
	});
}

/** Returns only the tests marked with `only`, if there are any. */
export function onlyMarked(planned: readonly Planned[]): Planned[] {
	const isMarked = ({ test }: Planned): boolean => test.isOnly || test.suite.path().some(({ isOnly }) => isOnly);
	const marked = planned.filter(isMarked);
	return marked.length > 0 ? marked : [...planned];
}

const matches = (pattern: RegExp, text: string): boolean =>
	new RegExp(pattern.source, pattern.flags.replace('g', '')).test(text);

function isPart(file: string, path: string): boolean {
	try {
		return new RegExp(path).test(file) || file.includes(path);
	} catch {
		return file.includes(path);
	}
}
