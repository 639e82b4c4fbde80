import type { ExecutionEnvironment } from '#environment/contract.ts';

const NOT_SITES = /(^|\/)(node_modules|\.git|coverage)\//;
const MAINS = /^src\/(main|index|app)\.(tsx|ts|jsx|js|mjs)$/i;
const FIRST = ['index.html', 'public/index.html', 'dist/index.html'];
const DEPTH = 5;

/**
 * Documents of a project that can be displayed, most likely first: HTML documents, or `src/main.*` if there are none.
 * @param open file that is open in the editor: comes first if it is one of them
 */
export async function findEntries(environment: ExecutionEnvironment, open: string | null): Promise<string[]> {
	const files = (await environment.listDirectory('.', DEPTH))
		.filter(({ kind, path }) => kind === 'file' && !NOT_SITES.test(path))
		.map(({ path }) => path);
	const rank = (path: string): number => {
		if (path === open) return -1;
		const known = FIRST.indexOf(path);
		return known === -1 ? FIRST.length + path.split('/').length : known;
	};
	const documents = files
		.filter((path) => /\.html?$/i.test(path))
		.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
	return documents.length > 0 ? documents : files.filter((path) => MAINS.test(path)).sort();
}
