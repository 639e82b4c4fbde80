import type { Change } from '../diff/change.ts';
import { blankProblems } from '../diff/check.ts';
import type { DiffFormat } from '../diff/format.ts';
import { binaryBytes } from '../diff/lines.ts';
import { isShown, printChanges } from '../diff/print.ts';
import type { Invocation } from '../invocation.ts';
import type { Repository } from '../repository.ts';

/** Exit code of `--check` if it finds problems. */
export const PROBLEMS_FOUND = 2;

interface CompareOptions {
	has(name: 'exitCode' | 'quiet' | 'check'): boolean;
}

/** Prints changes as `--check`, `--quiet` and `--exit-code` say. Returns the exit code. */
export function printCompared(
	git: Invocation,
	repository: Repository,
	changes: readonly Change[],
	options: CompareOptions,
	format: DiffFormat,
	/** Text before the changes. */
	head = ''
): number {
	const isQuiet = options.has('quiet');
	const isAsked = options.has('exitCode') || isQuiet;
	const code = isAsked && changes.some((change) => isShown(repository, change, format)) ? 1 : 0;
	if (options.has('check')) {
		const problems = blankProblems(repository, changes, format.colors, format.linePrefix);
		if (!isQuiet) git.out(binaryBytes(problems));
		return problems === '' ? code : code | PROBLEMS_FOUND;
	}
	if (isQuiet) return code;
	if (head !== '') git.out(head);
	git.out(binaryBytes(printChanges(repository, changes, format)));
	return code;
}
