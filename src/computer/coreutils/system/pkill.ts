import { utility } from '../options.ts';
import { signalled, CRITERIA, found, send, nameOf } from './process-list.ts';

export const pkill = signalled((call, signal) => {
	const run = utility(
		`${CRITERIA} e|echo c|count`,
		async (inner, options) => {
			const processes = found(inner, options);
			send(inner, processes, signal);
			if (options.has('e'))
				await inner.out(processes.map((process) => `${nameOf(process)} killed (pid ${process.pid})\n`).join(''));
			if (options.has('c')) await inner.out(`${processes.length}\n`);
			return processes.length > 0 ? 0 : 1;
		},
		2
	);
	return run(call);
});
