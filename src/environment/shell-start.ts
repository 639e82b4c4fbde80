/** Options that keep a shell from reading startup files, by its file name; `sh` and others read none with `-c`. */
const WITHOUT_START_FILES: Readonly<Record<string, readonly string[]>> = {
	bash: ['--norc', '--noprofile'],
	zsh: ['-f'],
	fish: ['--no-config']
};

/**
 * Arguments that make a shell run one command without reading the user's startup files. Bash reads `~/.bashrc` for a
 * command whose input is a socket, or that comes over ssh, when `SHLVL` is below 2.
 */
export function commandArguments(shell: string, command: string): string[] {
	const name = shell.slice(shell.lastIndexOf('/') + 1);
	return [...(WITHOUT_START_FILES[name] ?? []), '-c', command];
}

/**
 * Marks every nested bash, including one that a command starts with `exec` or `sh -c`, as not the first shell, so that
 * none mistakes a socket on its input for a remote login and reads `~/.bashrc`.
 */
export const SHELL_LEVEL: Readonly<Record<string, string>> = { SHLVL: '1' };

/** Returns true if a variable makes shells run or redefine something: startup files, exported functions, options. */
export const isShellHook = (name: string): boolean =>
	['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'PROMPT_COMMAND', 'PS4', 'ZDOTDIR'].includes(name) ||
	name.startsWith('BASH_FUNC_') ||
	// Exported functions, as older versions of bash name them.
	name.endsWith('()');
