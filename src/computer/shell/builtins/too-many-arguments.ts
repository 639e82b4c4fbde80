import { ExitJump, LineJump } from '../state/control.ts';
import type { Call } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';

/** Complains about too many arguments of a builtin, which discards the line, or the whole text of `bash -c`. */
export async function tooManyArguments(shell: Shell, complain: Call['complain']): Promise<never> {
	await complain('too many arguments');
	throw shell.host.commandsFrom === 'c' && !shell.interactive ? new ExitJump(1) : new LineJump(1);
}
