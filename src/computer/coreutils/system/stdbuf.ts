import { UsageError, utility } from '../options.ts';
import { runProgram } from './run-program.ts';

const FAILED = 125;
/** Sizes are limited to 64 bits. */
const TOO_LARGE = 2 ** 64;
const SIZE = /^(?:\d+(?:[KMGTPEZY](?:iB|B)?|[kb]|kB)?|[KMGTPEZYkb])$/;

/** `stdbuf`: output is not buffered here, so it only runs its command. */
export const stdbuf = utility(
	'+i|input= o|output= e|error=',
	(call, options) => {
		for (const { name, value } of options.given) {
			if (name === 'i' && value === 'L') throw new UsageError('line buffering stdin is meaningless', true);
			if (value !== 'L' && !SIZE.test(value)) throw new UsageError(`invalid mode '${value}'`);
			if (Number.parseInt(value, 10) >= TOO_LARGE)
				throw new UsageError(`invalid mode '${value}': Value too large for defined data type`);
		}
		if (options.operands.length === 0) throw new UsageError('missing operand');
		if (options.given.length === 0) throw new UsageError('you must specify a buffering mode option');
		return runProgram(call, call.shell, [...options.operands], 'failed to run command');
	},
	FAILED
);
