import type { ProcessInfo } from '#computer/abi/syscalls.ts';
import { utility } from '../options.ts';
import { CRITERIA, found, lineOf, nameOf } from './process-list.ts';

export const pgrep = utility(
	`${CRITERIA} l|list-name a|list-full c|count d|delimiter=`,
	async (call, options) => {
		const processes = found(call, options);
		const line = (process: ProcessInfo) =>
			options.has('a')
				? `${process.pid} ${lineOf(process)}`
				: options.has('l')
					? `${process.pid} ${nameOf(process)}`
					: String(process.pid);
		if (options.has('c')) await call.out(`${processes.length}\n`);
		else if (processes.length > 0) await call.out(`${processes.map(line).join(options.get('d') ?? '\n')}\n`);
		return processes.length > 0 ? 0 : 1;
	},
	2
);
