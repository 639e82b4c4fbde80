import { UsageError, utility } from '../options.ts';
import { resolve, relativePath } from './real-path.ts';

/** `realpath`. */
export const realpath = utility(
	'e|canonicalize-existing m|canonicalize-missing L|logical P|physical q|quiet s|strip|no-symlinks z|zero relative-to= relative-base=',
	async (call, options) => {
		if (options.operands.length === 0) throw new UsageError('missing operand');
		const missing = ({ e: 'none', m: 'any' } as const)[options.last('e', 'm') ?? ''] ?? 'last';
		const base = options.get('relative-to') ?? options.get('relative-base');
		const from = base === undefined ? null : resolve(call, base, missing);
		let status = 0;
		for (const name of options.operands) {
			const result = resolve(call, name, missing, !options.has('s'));
			if ('problem' in result) {
				if (!options.has('q')) await call.complain(`${name}: ${result.problem}`);
				status = 1;
				continue;
			}
			const isRelative =
				from !== null &&
				'path' in from &&
				(options.has('relative-to') || `${result.path}/`.startsWith(`${from.path}/`));
			const shown = isRelative ? relativePath(from.path, result.path) : result.path;
			await call.out(shown + (options.has('z') ? '\0' : '\n'));
		}
		return status;
	}
);
