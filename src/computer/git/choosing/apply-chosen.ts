import { binaryBytes } from '../diff/lines.ts';
import type { Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { APPLY_OPTIONS, applyHow } from '../patch/apply-options.ts';
import { repositorySource, writePatched, type PatchPlace } from '../patch/patch-sources.ts';
import { PatchTarget } from '../patch/target.ts';

/** Options for applying a patch of chosen hunks. */
interface ChosenHow {
	isReverse: boolean;
	where: PatchPlace;
	/** Only checks, writes nothing. */
	isCheck?: boolean;
}

/**
 * Applies a patch as `git apply` does. @param text binary text @returns false if it does not apply, which is reported
 */
export function applyChosen(git: Invocation, text: string, { isReverse, where, isCheck = false }: ChosenHow): boolean {
	const { repository } = git;
	const say = (line: string) => git.err(line);
	const options = parseOptions('apply', [], APPLY_OPTIONS);
	const usualAction = isCheck ? 'nowarn' : 'warn';
	const how = applyHow(repository, options, say, { isReverse, prefix: '', usualAction });
	const { patches } = how.read(binaryBytes(text), '<stdin>');
	const target = new PatchTarget(repositorySource(repository, where), {
		hunks: how.hunks,
		blanksOf: (path) => how.blanks.forFile(path, '<stdin>'),
		rejects: false,
		warn: say,
		note: () => undefined
	});
	const problems = target.takeAll(patches);
	for (const problem of problems) say(`error: ${problem}\n`);
	if (problems.length > 0 || how.blanks.mustFail) return false;
	if (!isCheck) {
		writePatched(repository, target, where);
		how.blanks.report(true);
	}
	return true;
}
