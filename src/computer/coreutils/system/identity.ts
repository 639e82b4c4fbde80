import { HOST_NAME } from '#computer/abi/host-name.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';

/** The only user of the sandbox. */
const USER = 'user';

/** @param allowed number of operands to ignore */
const print = (text: string, allowed = 0): BuiltIn =>
	utility('', async ({ out }, { operands }) => {
		const extra = operands[allowed];
		if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
		await out(`${text}\n`);
		return 0;
	});

/** `hostname`: the name of the sandbox. It has no domain, and cannot be changed. */
const hostname = utility(
	'a|alias A|all-fqdns d|domain f|fqdn|long i|ip-address I|all-ip-addresses s|short y|yp|nis',
	async ({ out, complain }, { given, operands }) => {
		const [option] = given;
		if (operands.length > 0) {
			await complain('you must be root to change the host name');
			return 1;
		}
		if (option?.name === 'y') {
			await complain('Local domain name not set');
			return 1;
		}
		const shown: Record<string, string> = { a: '\n', A: '\n', d: '', i: '127.0.0.1\n', I: '\n' };
		await out(shown[option?.name ?? ''] ?? `${HOST_NAME}\n`);
		return 0;
	}
);

/** Commands that print one fact about the sandbox or its user. */
export const identity: Record<string, BuiltIn> = {
	arch: print('x86_64'),
	hostid: print('007f0100'),
	hostname,
	logname: print(USER),
	users: print(USER, 1),
	whoami: print(USER)
};
