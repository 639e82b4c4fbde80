import { utility } from '../options.ts';
import { nameOf, others } from './process-list.ts';

/** `pidof`: ids of the processes of programs, newest first. */
export const pidof = utility('s|single-shot q o|omit-pid= c n x z S|separator= d=', async (call, options) => {
	const omitted = options.all('o').flatMap((text) => text.split(/[,;:]/).map(Number));
	const wanted = new Set(options.operands.map((name) => name.split('/').at(-1)));
	const named = others(call).filter((process) => wanted.has(nameOf(process)));
	// It also finds itself: here the shell that runs it.
	const own = wanted.has(call.name) ? [call.shell.host.context.pid] : [];
	const numbers = [...named.map(({ pid }) => pid), ...own]
		.filter((pid) => !omitted.includes(pid))
		.toSorted((a, b) => b - a);
	if (numbers.length === 0) return 1;
	const shown = options.has('s') ? numbers.slice(0, 1) : numbers;
	if (!options.has('q')) await call.out(`${shown.join(options.get('S') ?? options.get('d') ?? ' ')}\n`);
	return 0;
});
