import type { BuiltIn } from '../state/host.ts';

/** `ls` over just-bash's: files first, then each directory under its name, as GNU does for several operands. */
export const ls: BuiltIn = async (call) => {
	const { shell } = call;
	const end = call.args.indexOf('--');
	const isOption = (arg: string, index: number) => /^-./.test(arg) && (end < 0 || index < end);
	const options = call.args.filter((arg, index) => isOption(arg, index));
	const operands = call.args.filter((arg, index) => !isOption(arg, index) && index !== end);
	const run = (...names: string[]) => shell.host.tools.run(shell, 'ls', [...options, ...names]);
	if (operands.length < 2) return run(...operands);
	const { sync } = shell.host.context;
	const flags = options.filter((option) => !option.startsWith('--')).join('');
	const sorted = [...operands];
	if (flags.includes('t')) sorted.sort((a, b) => modified(b) - modified(a));
	else sorted.sort();
	function modified(name: string): number {
		return sync.statOrNull(shell.path(name))?.modifiedMs ?? 0;
	}
	if (flags.includes('r')) sorted.reverse();
	const isDirectory = (name: string) => !flags.includes('d') && sync.statOrNull(shell.path(name))?.kind === 'directory';
	let status = 0;
	const files = sorted.filter((name) => !isDirectory(name));
	for (const name of files) status = Math.max(status, await run(name));
	for (const [index, name] of sorted.filter(isDirectory).entries()) {
		await call.out(`${files.length > 0 || index > 0 ? '\n' : ''}${name}:\n`);
		status = Math.max(status, await run(name));
	}
	return status;
};
