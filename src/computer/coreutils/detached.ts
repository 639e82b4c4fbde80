import { startWork } from '#computer/shell/execution/background.ts';
import { runWords } from '#computer/shell/execution/run-words.ts';
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

/** `setsid`: a command out of the reach of the terminal's Ctrl-C. Before a prompt, or with `-f`, it is not waited for. */
export const setsid: BuiltIn = async (call) => {
	const { shell, args } = call;
	const first = args.findIndex((arg) => !/^-[cfw]+$|^--(ctty|fork|wait)$/.test(arg));
	const flags = (first < 0 ? args : args.slice(0, first)).join(' ');
	const words = first < 0 ? [] : args.slice(first);
	if (words.length === 0) {
		await call.complain('no command specified');
		return 1;
	}
	const run = (inner: Shell) => {
		inner.background = true;
		return runWords(inner, words, 'functions');
	};
	const forks = /f/.test(flags) || (shell.interactive && !/w/.test(flags));
	if (!forks) return runSubshell(shell, run);
	const job = await startWork(shell, call.args.join(' '), run);
	shell.jobs.forget(job);
	return 0;
};
