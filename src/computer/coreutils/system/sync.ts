import { errno } from '#computer/abi/errno.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';

/** `sync`: writes are never delayed here, so it only checks whether the files can be opened. */
export const sync = utility('d|data f|file-system', async (call, options) => {
	const { shell } = call;
	if (options.has('d') && options.has('f')) throw new UsageError('cannot specify both --data and --file-system');
	if (options.has('d') && options.operands.length === 0) throw new UsageError('--data needs at least one argument');
	let status = 0;
	for (const name of options.operands) {
		try {
			const { mode } = shell.host.context.sync.stat(shell.path(name));
			if (!(mode & 0o600)) throw errno('EACCES', name);
		} catch (error) {
			await call.complain(`error opening ${quoted(name)}: ${reason(error)}`);
			status = 1;
		}
	}
	return status;
});
