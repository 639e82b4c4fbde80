import { utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { isUser } from './users.ts';

/** `groups`: prints the only group of the sandbox. */
export const groups = utility('', async (call, { operands }) => {
	if (operands.length === 0) await call.out('user\n');
	let status = 0;
	for (const name of operands) {
		if (isUser(name)) await call.out(`${name} : user\n`);
		else {
			await call.complain(`${quoted(name)}: no such user`);
			status = 1;
		}
	}
	return status;
});
