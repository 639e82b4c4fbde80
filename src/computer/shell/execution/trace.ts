import { expandPrompt } from '../expansion/prompt.ts';
import { ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { encode } from '#computer/process/text.ts';

/** Expands PS4; returns an empty text if that fails. */
async function prefixOf(shell: Shell): Promise<string> {
	try {
		return await expandPrompt(shell, shell.variables.get('PS4') ?? '');
	} catch (error) {
		if (!(error instanceof ShellError)) throw error;
		shell.complain(error.message);
		return '';
	}
}

/** Writes what `set -x` shows of a command after PS4, whose first character is repeated for each level. */
export async function trace(shell: Shell, text: string): Promise<void> {
	const { xtrace } = shell.options;
	shell.options.xtrace = false;
	const { status } = shell;
	const prefix = await prefixOf(shell);
	shell.options.xtrace = xtrace;
	shell.status = status;
	const [first = ''] = prefix;
	const given = shell.variables.get('BASH_XTRACEFD') ?? '';
	const descriptor = /^\d+$/.test(given) ? Number(given) : 2;
	await (shell.descriptors.get(descriptor) ?? shell.descriptors.get(2))?.write(
		encode(`${first.repeat(shell.traceDepth - 1)}${prefix}${text}\n`)
	);
}
