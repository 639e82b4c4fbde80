import type { BuiltIn } from '#computer/shell/state/host.ts';

/** The one user that the sandbox has. */
const USER = 'user';

const print =
	(text: string): BuiltIn =>
	async ({ out }) => {
		await out(`${text}\n`);
		return 0;
	};

/** Commands that print one fact about the sandbox or its user. */
export const identity: Record<string, BuiltIn> = {
	arch: print('x86_64'),
	hostname: print('sandglass'),
	logname: print(USER),
	users: print(USER),
	whoami: print(USER)
};
