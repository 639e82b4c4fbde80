import type { BuiltIn } from '#computer/shell/state/host.ts';
import { utility } from '../options.ts';

/**
 * Makes a program with a fixed exit status, whatever its arguments; a single `--help` or `--version` prints its text
 * first.
 */
const ending = (status: number): BuiltIn => {
	const answering = utility('', () => status);
	return async (call) => {
		const [only = ''] = call.args;
		if (call.args.length !== 1 || !/^--(?:help|version)$/.test(only)) return status;
		return (await answering(call)) || status;
	};
};

/** `true` and `false` as programs. */
export const truth = { true: ending(0), false: ending(1) };
