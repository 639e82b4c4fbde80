import type { BuiltIn } from '#computer/shell/state/host.ts';
import { listening, programOf } from './ports.ts';

export const ss: BuiltIn = async (call) => {
	const isNamed = call.args.some((arg) => /^-[a-zA-Z]*p|^--processes/.test(arg));
	if (!call.args.some((arg) => /^-[a-zA-Z]*H|^--no-header/.test(arg)))
		await call.out('State  Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n');
	for (const info of listening(call)) {
		const who = isNamed ? ` users:(("${programOf(info)}",pid=${info.pid},fd=3))` : '';
		await call.out(`LISTEN 0      511    ${`*:${info.port}`.padStart(18)} ${'*:*'.padStart(17)}${who}\n`);
	}
	return 0;
};
