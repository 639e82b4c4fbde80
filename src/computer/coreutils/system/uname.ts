import { HOST_NAME } from '#computer/abi/host-name.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';

export const uname: BuiltIn = async ({ args, out }) => {
	const flags = args.join('').replaceAll('-', '') || 's';
	const values: [string, string][] = [
		['s', 'Linux'],
		['n', HOST_NAME],
		['r', '6.1.0'],
		['v', '#1 SMP'],
		['m', 'x86_64'],
		['o', 'GNU/Linux']
	];
	const shown = values.filter(([letter]) => flags.includes('a') || flags.includes(letter)).map(([, value]) => value);
	await out(`${shown.join(' ')}\n`);
	return 0;
};
