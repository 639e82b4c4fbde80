import { readFileSync } from 'node:fs';
import { FAULTS } from './faults.ts';

const text = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Thirty tests of a small app and the app itself, as files of a project; with or without its mistakes. */
export function suiteFiles(isFaulty: boolean): Record<string, string> {
	const files: Record<string, string> = {
		'index.html': text('index.html'),
		'app.js': text('app.js.txt'),
		'server.cjs': text('server.cjs.txt'),
		'playwright.config.ts': text('playwright.config.ts.txt'),
		'tests/groceries.spec.ts': text('groceries.spec.ts.txt')
	};
	if (!isFaulty) return files;
	for (const { file, from, to } of FAULTS) {
		const before = files[file] ?? '';
		if (!before.includes(from)) throw new Error(`${file} has no ${from}`);
		files[file] = before.replace(from, () => to);
	}
	return files;
}

interface JsonSpec {
	title: string;
	tests: { results: { status: string }[] }[];
}
interface JsonSuite {
	specs?: JsonSpec[];
	suites?: JsonSuite[];
}

/** Status of each test by title, from the output of the reporter `json`. */
export function verdictsOf(json: string): Record<string, string> {
	const { suites } = JSON.parse(json.slice(json.indexOf('{'))) as { suites: JsonSuite[] };
	const specs = (suite: JsonSuite): JsonSpec[] => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
	const all = suites.flatMap(specs);
	return Object.fromEntries(
		all.map(({ title, tests }) => [
			title.replace(/ @sample$/, ''),
			tests.map(({ results }) => results.at(-1)?.status).join()
		])
	);
}
