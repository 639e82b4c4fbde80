import { findCommand } from '#computer/shell/execution/lookup.ts';
import { runWords } from '#computer/shell/execution/run-words.ts';
import type { Call } from '#computer/shell/state/host.ts';
import type { Shell } from '#computer/shell/state/shell.ts';

const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/**
 * Runs words as a program for another one (`nice`, `timeout` …), which reports an error if there is no such program.
 *
 * @param subject start of that message: `failed to run command` or empty
 */
export async function runProgram(call: Call, shell: Shell, words: string[], subject: string): Promise<number> {
	const name = words[0] ?? '';
	const found = findCommand(shell, name, 'builtins');
	const prefix = subject === '' ? '' : `${subject} `;
	const isRefused = found.kind === 'directory' || (found.kind === 'file' && !found.executable);
	if (isRefused || /^\.{1,2}$/.test(name)) {
		await call.complain(`${prefix}'${name}': Permission denied`);
		return NOT_RUNNABLE;
	}
	if (found.kind === 'none') {
		await call.complain(`${prefix}'${name}': No such file or directory`);
		return NOT_FOUND;
	}
	shell.isThrough = call.shell.isThrough;
	return runWords(shell, words, 'builtins');
}
