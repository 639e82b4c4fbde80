import { UsageError, utility } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';

/** `runcon`: there are no security contexts here. */
export const runcon = utility(
	'+c|compute t|type= u|user= r|role= l|range=',
	async (call, { operands }) => {
		await call.complain(
			operands.length === 0
				? 'failed to get current context: Invalid argument'
				: 'runcon may be used only on a SELinux kernel'
		);
		return 1;
	},
	125
);

/** `chcon`: refused for each file, as on systems without security contexts. */
export const chcon = utility(
	'h|no-dereference dereference reference= u|user= r|role= t|type= l|range= R|recursive H L P v|verbose preserve-root',
	async (call, options) => {
		const isPartial = options.has('u', 'r', 't', 'l', 'reference');
		const [context, ...files] = isPartial ? ['', ...options.operands] : options.operands;
		if (context === undefined) throw new UsageError('missing operand');
		if (files.length === 0) throw new UsageError(isPartial ? 'missing operand' : `missing operand after '${context}'`);
		for (const file of files) {
			const exists = call.shell.host.context.sync.statOrNull(call.shell.path(file)) !== null;
			await call.complain(
				exists
					? `failed to change context of ${quoted(file)} to ${quoted(context)}: Operation not supported`
					: `cannot access ${quoted(file)}: No such file or directory`
			);
		}
		return 1;
	}
);
