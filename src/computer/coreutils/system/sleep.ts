import type { BuiltIn } from '#computer/shell/state/host.ts';

export const sleep: BuiltIn = async (call) => {
	const units: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };
	let seconds = 0;
	for (const arg of call.args) {
		const match = /^(\d*\.?\d+|infinity)([smhd]?)$/.exec(arg);
		if (!match) {
			await call.complain(`invalid time interval '${arg}'`);
			return 1;
		}
		seconds += (match[1] === 'infinity' ? 2e6 : Number(match[1])) * (units[match[2] ?? ''] ?? 1);
	}
	if (call.args.length === 0) {
		await call.complain('missing operand');
		return 1;
	}
	let timer: ReturnType<typeof setTimeout> | undefined;
	try {
		await call.shell.control.race(
			new Promise<void>((resolve) => (timer = setTimeout(resolve, Math.min(seconds * 1000, 2 ** 31 - 1))))
		);
	} finally {
		clearTimeout(timer);
	}
	return 0;
};
