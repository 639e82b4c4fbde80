import type { BuiltIn } from '#computer/shell/state/host.ts';
import { listening, programOf } from './ports.ts';

export const netstat: BuiltIn = async (call) => {
	const isNamed = call.args.some((arg) => /^-[a-zA-Z]*p|^--programs/.test(arg));
	await call.out('Active Internet connections (only servers)\n');
	const title = 'Proto Recv-Q Send-Q Local Address           Foreign Address         State      ';
	await call.out(`${title}${isNamed ? ' PID/Program name    ' : ''}\n`);
	for (const info of listening(call)) {
		const who = isNamed ? ` ${`${info.pid}/${programOf(info)}`.padEnd(20)}` : '';
		await call.out(
			`tcp        0      0 ${`0.0.0.0:${info.port}`.padEnd(23)} ${'0.0.0.0:*'.padEnd(23)} LISTEN     ${who}\n`
		);
	}
	return 0;
};
