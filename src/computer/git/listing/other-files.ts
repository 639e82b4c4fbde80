import { comparePaths } from '../bytes.ts';
import type { Repository } from '../repository.ts';
import { scanRepository, type Scan, type ScanRules } from '../worktree/scan.ts';

/** Selects files that are not in the index. */
export interface OtherFiles {
	/** Null: no file is ignored. */
	rules: ScanRules | null;
	/** Lists ignored files instead of those that are not ignored. */
	areIgnored: boolean;
	/** Lists a directory without tracked files instead of its contents. */
	asDirectories: boolean;
	/** Lists empty directories too. */
	emptyDirectories: boolean;
}

/** Scans the working tree with the given rules. */
export function scanBy(repository: Repository, rules: ScanRules | null): Scan {
	return scanRepository(repository, { listIgnored: true, rules: rules ?? { withoutFiles: true } });
}

/** Files and directories that are not in the index; directories end with a slash. */
export function otherFiles(repository: Repository, scan: Scan, how: OtherFiles): string[] {
	const tracked = repository.index.entries().map(({ path }) => path);
	const known = new Set(tracked);
	const parents = new Set(tracked.flatMap(directoriesOf));
	const nested = scan.nested.filter((directory) => !known.has(directory.slice(0, -1)));
	const files = [...scan.files.keys()].filter((path) => !known.has(path));
	const isIgnored = (path: string) => scan.rules.ignoresBelow(path.replace(/\/$/, ''), path.endsWith('/'));
	if (!how.asDirectories)
		return [...files, ...nested].filter((path) => isIgnored(path) === how.areIgnored).sort(comparePaths);
	const found = new Set<string>();
	const top = (path: string) => directoriesOf(path).find((directory) => !parents.has(directory));
	const add = (path: string) => {
		const ignored = isIgnored(path);
		const whole = directoriesOf(path).filter((directory) => !parents.has(directory));
		if (!how.areIgnored) {
			if (!ignored) found.add(whole[0] ?? path);
			return;
		}
		if (ignored) found.add(whole.find(isIgnored) ?? path);
	};
	for (const path of files) add(path);
	for (const directory of nested) if (isIgnored(directory) === how.areIgnored) found.add(top(directory) ?? directory);
	for (const directory of how.emptyDirectories ? scan.directories : []) {
		if (parents.has(directory) || files.some((path) => path.startsWith(directory))) continue;
		if (isIgnored(directory) !== how.areIgnored) continue;
		const whole = directoriesOf(`${directory}.`).filter((one) => !parents.has(one));
		found.add((how.areIgnored ? whole.find(isIgnored) : whole[0]) ?? directory);
	}
	return [...found].sort(comparePaths);
}

/** Parent directories of a path, the outermost first. */
function directoriesOf(path: string): string[] {
	const found: string[] = [];
	for (let end = path.indexOf('/'); end > 0 && end < path.length - 1; end = path.indexOf('/', end + 1))
		found.push(path.slice(0, end + 1));
	return found;
}
