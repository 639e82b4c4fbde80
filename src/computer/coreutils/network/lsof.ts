import { UsageError, utility } from '../options.ts';
import { listening, programOf } from './ports.ts';

/** Parses `:3000`, `tcp:3000-3010,8080` into a test of ports. Without ports, all match. */
function meant(text: string): (port: number) => boolean {
	const list = /:([\d,-]+)$/.exec(text)?.[1];
	if (list === undefined) return () => true;
	const ranges = list.split(',').map((part) => part.split('-').map(Number));
	return (port) => ranges.some(([from = 0, to = from]) => port >= from && port <= to);
}

/** `lsof -i :3000`, `lsof -ti tcp:3000`: lists listening processes. Other open files are not listed. */
export const lsof = utility(
	'i|=? t n P p|=? s|=? a L|=? l',
	async (call, options) => {
		if (!options.has('i')) throw new UsageError('only the ports of this sandbox can be listed: lsof -i [:port]');
		const tests = [...options.all('i'), ...options.operands].filter(Boolean).map(meant);
		const found = listening(call).filter(({ port }) => tests.length === 0 || tests.some((test) => test(port)));
		if (found.length === 0) return 1;
		if (options.has('t')) {
			await call.out(`${[...new Set(found.map(({ pid }) => pid))].join('\n')}\n`);
			return 0;
		}
		await call.out('COMMAND   PID USER   FD   TYPE DEVICE SIZE/OFF NODE NAME\n');
		for (const info of found) {
			const who = `${programOf(info).slice(0, 9).padEnd(9)} ${String(info.pid).padStart(3)} user`;
			await call.out(`${who}    3u  IPv4      0      0t0  TCP *:${info.port} (LISTEN)\n`);
		}
		return 0;
	},
	1
);
