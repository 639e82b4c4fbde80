import { startWork } from '#computer/shell/execution/background.ts';
import { runWords } from '#computer/shell/execution/run-words.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import type { Shell } from '#computer/shell/state/shell.ts';

/**
 * `setsid`: runs a command unaffected by the terminal's Ctrl-C. With an interactive shell, or with `-f`, it does not
 * wait for the command.
 */
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
