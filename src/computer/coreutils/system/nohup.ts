import { runSubshell } from '#computer/shell/execution/subshell.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import type { Shell } from '#computer/shell/state/shell.ts';

/** `nohup`: a command that a hangup does not end; what it would print on a terminal goes into `nohup.out`. */
export const nohup: BuiltIn = async ({ shell, args, complain }) => {
	const words = args[0] === '--' ? args.slice(1) : args;
	if (words.length === 0) {
		await complain('missing operand');
		return 125;
	}
	const [input, output, errors] = [0, 1, 2].map((number) => isTerminal(shell, number));
	const redirections = [input ? '</dev/null' : '', output ? '>>nohup.out' : '', errors ? '2>&1' : ''].join(' ');
	const notices = [input ? 'ignoring input' : '', output ? "appending output to 'nohup.out'" : ''].filter(Boolean);
	if (notices.length) await complain(notices.join(' and '));
	return runSubshell(shell, (inner) => {
		inner.positional = words;
		return inner.host.evaluate(inner, `command -- "$@" ${redirections}`);
	});
};

function isTerminal(shell: Shell, number: number): boolean {
	const descriptor = shell.descriptors.get(number)?.kernel;
	return descriptor !== undefined && shell.host.context.sync.isTerminal(descriptor);
}
