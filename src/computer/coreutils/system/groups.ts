import type { BuiltIn } from '#computer/shell/state/host.ts';

export const groups: BuiltIn = async ({ out }) => {
	await out('user\n');
	return 0;
};
