import { absolute } from '#computer/abi/paths.ts';
import { encode } from './bytes.ts';
import { runChild } from './child.ts';
import type { Invocation } from './invocation.ts';

/** Checks whether a file is executable. */
export const isExecutable = ({ mode }: { mode: number }): boolean => (mode & 0o111) !== 0;

/** Standard input of a hook: the path of a file, or text. */
export type HookInput = string | { text: string };

/**
 * Runs a hook of the repository, if it exists. Returns false if the hook fails. The index is written before and read
 * again afterwards, since a hook may stage the files it formats.
 */
export function runHook(git: Invocation, name: string, args: readonly string[] = [], input?: HookInput): boolean {
	return (hookCode(git, name, args, input) ?? 0) === 0;
}

/** Runs a hook in the same way. Returns its exit code; null if there is no such hook. */
export function hookCode(git: Invocation, name: string, args: readonly string[], input?: HookInput): number | null {
	const { repository } = git;
	const configured = repository.config.get('core.hookspath');
	const home = git.env['HOME'] ?? '/';
	const directory =
		configured === undefined
			? `${repository.commonDir}/hooks`
			: absolute(configured.replace(/^~(?=\/|$)/, home), repository.root);
	const path = `${directory}/${name}`;
	const stat = repository.files.statOrNull(path);
	if (stat?.kind !== 'file') return null;
	if (!isExecutable(stat)) {
		git.err(
			`hint: The '${path}' hook was ignored because it's not set as executable.\n` +
				'hint: You can disable this warning with `git config advice.ignoredHook false`.\n'
		);
		return null;
	}
	repository.index.save();
	const file = typeof input === 'object' ? `${repository.gitDir}/HOOK_INPUT.${git.context.pid}` : input;
	if (typeof input === 'object' && file !== undefined) repository.files.writeFile(file, encode(input.text));
	const [line, given] = file === undefined ? ['"$@"', []] : ['file=$1; shift; "$@" <"$file"', [file]];
	const code = runChild(git, line, [...given, path, ...args], { cwd: repository.root, toStderr: true });
	if (typeof input === 'object' && file !== undefined) repository.files.remove(file, { force: true });
	repository.reopenIndex();
	return code;
}
