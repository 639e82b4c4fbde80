import { reason } from '#computer/shell/execution/redirections.ts';
import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';

/** `link`: adds a hard link to a file, without the options of `ln`. */
export const link = utility('', async (call, { operands }) => {
	const [from, to, more] = operands;
	if (from === undefined) throw new UsageError('missing operand');
	if (to === undefined) throw new UsageError(`missing operand after ${quoted(from)}`);
	if (more !== undefined) throw new UsageError(`extra operand ${quoted(more)}`);
	try {
		call.shell.host.context.sync.link(call.shell.path(from), call.shell.path(to));
		return 0;
	} catch (error) {
		await call.complain(`cannot create link ${quoted(to)} to ${quoted(from)}: ${reason(error)}`);
		return 1;
	}
});
