import { open } from '#computer/shell/execution/redirections.ts';
import type { Shell } from '#computer/shell/state/shell.ts';

/** Tells whether an operand is a named pipe: opening and closing it would signal the end to the other side. */
export const isPipe = (shell: Shell, name: string): boolean =>
	shell.host.context.sync.statOrNull(shell.path(name))?.kind === 'fifo';

/** Reads an operand to its end: a file, a named pipe, or a name such as `/dev/fd/5`. @throws the error of opening it */
export async function readWhole(shell: Shell, name: string): Promise<Uint8Array> {
	if (!name.startsWith('/dev/') && !isPipe(shell, name)) return shell.host.context.sync.readFile(shell.path(name));
	const input = open(shell, name, '<');
	try {
		return await shell.control.race(input.readAll());
	} finally {
		input.release();
	}
}
