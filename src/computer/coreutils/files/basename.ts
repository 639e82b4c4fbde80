import { UsageError, utility } from '../options.ts';

/** Returns the last part of a path, as POSIX `basename` does. */
function lastPart(path: string): string {
	const bare = path.replace(/\/+$/, '');
	return bare === '' && path !== '' ? '/' : (bare.split('/').at(-1) ?? '');
}

/** `basename`. A suffix equal to the whole name is not removed. */
export const basename = utility('+a|multiple s|suffix= z|zero', async (call, options) => {
	const { operands } = options;
	const isMultiple = options.has('a', 's');
	if (operands.length === 0) throw new UsageError('missing operand');
	if (!isMultiple && operands.length > 2) throw new UsageError(`extra operand '${operands[2]}'`);
	const suffix = options.get('s') ?? (isMultiple ? '' : (operands[1] ?? ''));
	for (const path of isMultiple ? operands : operands.slice(0, 1)) {
		const name = lastPart(path);
		const isCut = suffix !== '' && name !== suffix && name.endsWith(suffix);
		await call.out((isCut ? name.slice(0, -suffix.length) : name) + (options.has('z') ? '\0' : '\n'));
	}
	return 0;
});
