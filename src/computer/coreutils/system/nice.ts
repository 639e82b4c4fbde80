import { runWords } from '#computer/shell/execution/run-words.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';

/** `nice`: there is one way to be scheduled here, so it only runs its command. */
export const nice: BuiltIn = async ({ shell, args, out }) => {
	let index = 0;
	if (args[0] === '-n') index = 2;
	else if (/^(-n?-?\d+|--adjustment=.*)$/.test(args[0] ?? '')) index = 1;
	if (index < args.length) return runWords(shell, args.slice(index), 'functions');
	await out('0\n');
	return 0;
};
