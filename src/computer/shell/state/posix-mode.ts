import type { Shell } from './shell.ts';
import type { ShoptName } from './options.ts';

/** Variable that is set while the mode is on, and that also switches it on and off. */
export const POSIX_VARIABLE = 'POSIXLY_CORRECT';

/** Options of `shopt` that the mode turns on; `inherit_errexit` remains on when it ends. */
const ENTERED: readonly ShoptName[] = ['expand_aliases', 'inherit_errexit', 'shift_verbose', 'sourcepath'];
const LEFT: readonly ShoptName[] = ['expand_aliases', 'shift_verbose'];

/** Turns POSIX mode on or off, with the options that belong to it (bash's manual, section 6.11). */
export function setPosixMode(shell: Shell, isOn: boolean): void {
	shell.options.posix = isOn;
	if (isOn) {
		for (const name of ENTERED) shell.shopt.add(name);
		shell.options['interactive-comments'] = true;
		if (shell.variables.get(POSIX_VARIABLE) === undefined) shell.variables.set(POSIX_VARIABLE, 'y');
		return;
	}
	for (const name of LEFT) shell.shopt.delete(name);
	if (shell.interactive) shell.shopt.add('expand_aliases');
	if (shell.variables.get(POSIX_VARIABLE) !== undefined) shell.variables.unset(POSIX_VARIABLE);
}
