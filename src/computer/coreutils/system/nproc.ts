import { PROCESSORS } from '#computer/abi/limits.ts';
import { UsageError, utility } from '../options.ts';

export const nproc = utility('all ignore=', async ({ shell, out }, options) => {
	const ignored = options.get('ignore') ?? '0';
	const [extra] = options.operands;
	if (!/^ *\+?\d+$/.test(ignored)) throw new UsageError(`invalid number: '${ignored}'`);
	if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
	const variable = (name: string) => {
		const [first = ''] = (shell.variables.exported(name) ?? '').trim().split(/\s*,/);
		return /^\d+$/.test(first) && Number(first) > 0 ? Number(first) : null;
	};
	const wanted = options.has('all') ? null : variable('OMP_NUM_THREADS');
	const limit = options.has('all') ? null : variable('OMP_THREAD_LIMIT');
	await out(`${Math.max(1, Math.min(wanted ?? PROCESSORS, limit ?? Infinity) - Number(ignored))}\n`);
	return 0;
});
