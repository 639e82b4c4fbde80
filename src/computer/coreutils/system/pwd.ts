import { UsageError, utility } from '../options.ts';

/** `pwd` as a program: resolves links, unless `-L` or POSIXLY_CORRECT requests the name in PWD. */
export const pwd = utility('L|logical P|physical', async (call, options) => {
	const { variables, host, cwd } = call.shell;
	const { sync } = host.context;
	if (options.operands.length > 0) await call.complain('ignoring non-option arguments');
	const isLogical =
		(options.last('L', 'P') ?? (variables.exported('POSIXLY_CORRECT') === undefined ? 'P' : 'L')) === 'L';
	const name = variables.exported('PWD') ?? '';
	const isUsable = name.startsWith('/') && !/\/\.{1,2}(?:\/|$)/.test(name);
	const here = sync.statOrNull(cwd);
	if (!here) throw new UsageError('No such file or directory');
	const isHere = isLogical && isUsable && sync.statOrNull(name)?.inode === here.inode;
	await call.out(`${isHere ? name : sync.realpath(cwd)}\n`);
	return 0;
});
