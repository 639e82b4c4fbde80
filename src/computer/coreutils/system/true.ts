import type { BuiltIn } from '#computer/shell/state/host.ts';
import { utility } from '../options.ts';

/** A program that ends with a status, whatever its arguments; alone, `--help` and `--version` are answered first. */
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
