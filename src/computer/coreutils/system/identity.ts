import type { BuiltIn } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';

/** The one user that the sandbox has. */
const USER = 'user';

/** @param allowed how many operands are read over */
const print = (text: string, allowed = 0): BuiltIn =>
	utility('', async ({ out }, { operands }) => {
		const extra = operands[allowed];
		if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
		await out(`${text}\n`);
		return 0;
	});

/** Commands that print one fact about the sandbox or its user. */
export const identity: Record<string, BuiltIn> = {
	arch: print('x86_64'),
	hostid: print('007f0100'),
	hostname: print('sandglass'),
	logname: print(USER),
	users: print(USER, 1),
	whoami: print(USER)
};
