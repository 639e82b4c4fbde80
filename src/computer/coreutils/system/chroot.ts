import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';

/** `chroot`: refused, as for anyone but root. */
export const chroot = utility(
	'+groups= userspec= skip-chdir',
	async (call, options) => {
		const [root] = options.operands;
		if (root === undefined) throw new UsageError('missing operand');
		const isRoot = call.shell.path(root) === '/';
		if (options.has('skip-chdir') && !isRoot)
			throw new UsageError("option --skip-chdir only permitted if NEWROOT is old '/'", true);
		const exists = call.shell.host.context.sync.statOrNull(call.shell.path(root)) !== null;
		const why = exists ? 'Operation not permitted' : 'No such file or directory';
		await call.complain(`cannot change root directory to ${quoted(root)}: ${why}`);
		return 125;
	},
	125
);
