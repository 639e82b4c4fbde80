import type { BuiltIn } from '#computer/shell/state/host.ts';
import { utility } from '../options.ts';

/**
 * Program that ends with a status, whatever its arguments; `--help` and `--version` are only handled as the sole
 * argument.
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
