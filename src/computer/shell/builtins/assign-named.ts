import { assignText } from '../execution/assignments.ts';
import { BadSubscript } from '../state/control.ts';
import type { Call } from '../state/host.ts';

/**
 * Assigns to the variable or element whose name was passed to a builtin. Returns false (with a message) for an invalid
 * subscript.
 */
export async function assignNamed({ shell }: Call, name: string, text: string): Promise<boolean> {
	try {
		await assignText(shell, name, text, false);
		return true;
	} catch (error) {
		if (!(error instanceof BadSubscript)) throw error;
		shell.complain(error.message);
		return false;
	}
}
