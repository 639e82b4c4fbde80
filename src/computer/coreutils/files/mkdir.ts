import { reason } from '#computer/shell/execution/redirections.ts';
import { UsageError, utility } from '../options.ts';
import { modeOption } from './mode-option.ts';

/** `mkdir`. */
export const mkdir = utility('p|parents m|mode= v|verbose Z', async (call, options) => {
	if (options.operands.length === 0) throw new UsageError('missing operand');
	const { sync } = call.shell.host.context;
	const masked = 0o777 & ~call.shell.umask;
	const given = options.get('m');
	const mode = given === undefined ? masked : modeOption(given, 0o777, call.shell.umask);
	let status = 0;
	for (const name of options.operands) {
		const steps = options.has('p')
			? name
					.split('/')
					.map((_part, index, parts) => parts.slice(0, index + 1).join('/'))
					.filter(Boolean)
			: [name];
		for (const [index, step] of steps.entries()) {
			const path = call.shell.path(step);
			if (options.has('p') && sync.statOrNull(path)?.kind === 'directory') continue;
			try {
				// Parents always get owner write and search permission, regardless of the umask, so that children can
				// be created.
				sync.mkdir(path, { mode: index === steps.length - 1 ? mode : masked | 0o300 });
				if (options.has('v')) await call.out(`mkdir: created directory '${step}'\n`);
			} catch (error) {
				await call.complain(`cannot create directory '${step}': ${reason(error)}`);
				status = 1;
				break;
			}
		}
	}
	return status;
});
