import { UsageError, utility } from '../options.ts';

/** `dirname`. */
export const dirname = utility('+z|zero', async (call, options) => {
	if (options.operands.length === 0) throw new UsageError('missing operand');
	for (const path of options.operands) {
		const [, directory = '.'] = /^(.*?)\/+[^/]+\/*$/s.exec(path) ?? [];
		const name = /^\/+$/.test(path) || directory === '' ? '/' : directory;
		await call.out(name + (options.has('z') ? '\0' : '\n'));
	}
	return 0;
});
