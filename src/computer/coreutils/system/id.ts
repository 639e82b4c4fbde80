import type { BuiltIn } from '#computer/shell/state/host.ts';

export const id: BuiltIn = async ({ args, out }) => {
	const flags = args.join('');
	const name = flags.includes('n');
	const text = /[ugG]/.test(flags) ? (name ? 'user' : '1000') : 'uid=1000(user) gid=1000(user) groups=1000(user)';
	await out(`${text}\n`);
	return 0;
};
