import { extendedRegExp } from '#computer/shell/expansion/pattern.ts';
import { UsageError, utility } from '../options.ts';
import { signalled, others, nameOf, send } from './process-list.ts';

export const killall = signalled((call, signal) => {
	const run = utility('q|quiet r|regexp I|ignore-case w|wait e|exact v|verbose', async (inner, options) => {
		if (options.operands.length === 0) throw new UsageError('no process name specified');
		let status = 0;
		for (const name of options.operands) {
			const expression = options.has('r') ? extendedRegExp(name, options.has('I')) : null;
			const processes = others(inner).filter((process) =>
				expression ? expression.test(nameOf(process)) : nameOf(process) === name
			);
			send(inner, processes, signal);
			if (processes.length > 0) continue;
			status = 1;
			if (!options.has('q')) await inner.complain(`${name}: no process found`);
		}
		return status;
	});
	return run(call);
});
