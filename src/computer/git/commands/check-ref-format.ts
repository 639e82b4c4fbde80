import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { isBranchName, isRefName } from '../refs/ref-format.ts';

const USAGE =
	'usage: git check-ref-format [--normalize] [<options>] <refname>\n   or: git check-ref-format --branch <branchname-shorthand>';

/** `git check-ref-format`: checks whether a ref name is valid. */
export const checkRefFormat: Command = (git, args) => {
	let [oneLevel, pattern, normalizes] = [false, false, false];
	const left = [...args];
	if (left[0] === '-h') throw new GitError(USAGE, 129);
	if (left[0] === '--branch' && left.length === 2) {
		const name = left[1] ?? '';
		const back = /^@\{-(\d+)\}$/.exec(name)?.[1];
		const branch = back === undefined ? name : git.repository.previousBranch(Number(back));
		if (branch === null || !isBranchName(branch)) throw fatal(`'${name}' is not a valid branch name`);
		git.out(`${branch}\n`);
		return 0;
	}
	while (left[0]?.startsWith('-')) {
		const option = left.shift();
		if (option === '--normalize' || option === '--print') normalizes = true;
		else if (option === '--allow-onelevel') oneLevel = true;
		else if (option === '--no-allow-onelevel') oneLevel = false;
		else if (option === '--refspec-pattern') pattern = true;
		else throw new GitError(USAGE, 129);
	}
	const [given, ...more] = left;
	if (given === undefined || more.length > 0) throw new GitError(USAGE, 129);
	const name = normalizes ? given.replace(/\/{2,}/g, '/').replace(/^\//, '') : given;
	if (!isRefName(name, { oneLevel, pattern })) return 1;
	if (normalizes) git.out(`${name}\n`);
	return 0;
};
