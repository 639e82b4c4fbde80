import { absolute } from '#computer/abi/paths.ts';
import { runChild } from './child.ts';
import type { Invocation } from './invocation.ts';

/** Checks whether a file is executable. */
export const isExecutable = ({ mode }: { mode: number }): boolean => (mode & 0o111) !== 0;

/**
 * Runs a hook of the repository, if it exists. Returns false if it fails. The index is written before the hook and
 * reloaded after it, since a hook may stage files that it formats.
 *
 * @param input file to use as its standard input
 */
export function runHook(git: Invocation, name: string, args: readonly string[] = [], input?: string): boolean {
	const { repository } = git;
	const configured = repository.config.get('core.hookspath');
	const home = git.env['HOME'] ?? '/';
	const directory =
		configured === undefined
			? `${repository.commonDir}/hooks`
			: absolute(configured.replace(/^~(?=\/|$)/, home), repository.root);
	const path = `${directory}/${name}`;
	const stat = repository.files.statOrNull(path);
	if (stat?.kind !== 'file') return true;
	if (!isExecutable(stat)) {
		git.err(
			`hint: The '${path}' hook was ignored because it's not set as executable.\n` +
				'hint: You can disable this warning with `git config advice.ignoredHook false`.\n'
		);
		return true;
	}
	repository.index.save();
	const [line, given] = input === undefined ? ['"$@"', []] : ['file=$1; shift; "$@" <"$file"', [input]];
	const code = runChild(git, line, [...given, path, ...args], { cwd: repository.root, toStderr: true });
	repository.reopenIndex();
	return code === 0;
}
