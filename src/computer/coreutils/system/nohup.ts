import { runSubshell } from '#computer/shell/execution/subshell.ts';
import type { Shell } from '#computer/shell/state/shell.ts';
import { utility } from '../options.ts';

/** Status of a call without a command, and the one POSIX specifies. */
const [FAILED, POSIX_FAILED] = [125, 127];

/** `nohup`: runs a command that ignores hangups; output meant for a terminal goes to `nohup.out`. */
export const nohup = utility(
	'+',
	async ({ shell, complain }, { operands }) => {
		if (operands.length === 0) {
			await complain("missing operand\nTry 'nohup --help' for more information.");
			return shell.variables.exported('POSIXLY_CORRECT') === undefined ? FAILED : POSIX_FAILED;
		}
		const [input, output, errors] = [0, 1, 2].map((number) => isTerminal(shell, number));
		const redirections = [input ? '</dev/null' : '', output ? '>>nohup.out' : '', errors ? '2>&1' : ''].join(' ');
		const notices = [input ? 'ignoring input' : '', output ? "appending output to 'nohup.out'" : ''].filter(Boolean);
		if (notices.length) await complain(notices.join(' and '));
		return runSubshell(shell, (inner) => {
			inner.positional = [...operands];
			return inner.host.evaluate(inner, `command -- "$@" ${redirections}`);
		});
	},
	FAILED
);

function isTerminal(shell: Shell, number: number): boolean {
	const descriptor = shell.descriptors.get(number)?.kernel;
	return descriptor !== undefined && shell.host.context.sync.isTerminal(descriptor);
}
