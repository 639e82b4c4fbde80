import { reason } from '#computer/shell/execution/redirections.ts';
import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';

/** `unlink`: removes one link of a file. */
export const unlink = utility('', async (call, { operands }) => {
	const [name, more] = operands;
	if (name === undefined) throw new UsageError('missing operand');
	if (more !== undefined) throw new UsageError(`extra operand ${quoted(more)}`);
	try {
		call.shell.host.context.sync.unlink(call.shell.path(name));
		return 0;
	} catch (error) {
		await call.complain(`cannot unlink ${quoted(name)}: ${reason(error)}`);
		return 1;
	}
});
