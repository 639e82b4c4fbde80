import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';

/** `chroot`: refused, as to everyone who is not root. */
export const chroot = utility(
	'+groups= userspec= skip-chdir',
	async (call, { operands }) => {
		const [root] = operands;
		if (root === undefined) throw new UsageError('missing operand');
		const exists = call.shell.host.context.sync.statOrNull(call.shell.path(root)) !== null;
		const why = exists ? 'Operation not permitted' : 'No such file or directory';
		await call.complain(`cannot change root directory to ${quoted(root)}: ${why}`);
		return 125;
	},
	125
);
