import type { PortInfo, SignalName } from '#computer/abi/syscalls.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';

/** The servers of this sandbox, by their ports. */
const listening = ({ shell }: Call): PortInfo[] =>
	shell.host.context.sync.ports().sort((a, b) => a.port - b.port || a.pid - b.pid);

const programOf = ({ command }: PortInfo): string => (command.split(' ')[0] ?? '').split('/').at(-1) ?? '';

/** `:3000`, `tcp:3000-3010,8080`: whether a port is meant. Without a port every one is. */
function meant(text: string): (port: number) => boolean {
	const list = /:([\d,-]+)$/.exec(text)?.[1];
	if (list === undefined) return () => true;
	const ranges = list.split(',').map((part) => part.split('-').map(Number));
	return (port) => ranges.some(([from = 0, to = from]) => port >= from && port <= to);
}

/** `lsof -i :3000`, `lsof -ti tcp:3000`: lists listening processes. Other open files are not listed. */
const lsof = utility(
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

const ss: BuiltIn = async (call) => {
	const isNamed = call.args.some((arg) => /^-[a-zA-Z]*p|^--processes/.test(arg));
	if (!call.args.some((arg) => /^-[a-zA-Z]*H|^--no-header/.test(arg)))
		await call.out('State  Recv-Q Send-Q Local Address:Port Peer Address:Port Process\n');
	for (const info of listening(call)) {
		const who = isNamed ? ` users:(("${programOf(info)}",pid=${info.pid},fd=3))` : '';
		await call.out(`LISTEN 0      511    ${`*:${info.port}`.padStart(18)} ${'*:*'.padStart(17)}${who}\n`);
	}
	return 0;
};

const netstat: BuiltIn = async (call) => {
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

/** `fuser 3000/tcp`, with `-k` to end who listens. */
const fuser: BuiltIn = async (call) => {
	const ports = call.args.flatMap((arg) => /^(\d+)\/tcp$/.exec(arg)?.[1] ?? []).map(Number);
	if (ports.length === 0) {
		await call.complain('only ports can be looked for: fuser [-k] 3000/tcp');
		return 1;
	}
	const signal: SignalName = call.args.some((arg) => /^-(TERM|15|SIGTERM)$/.test(arg)) ? 'SIGTERM' : 'SIGKILL';
	let isFound = false;
	for (const port of ports) {
		const pids = [...new Set(listening(call).flatMap((info) => (info.port === port ? [info.pid] : [])))];
		if (pids.length === 0) continue;
		isFound = true;
		await call.out(`${port}/tcp:${pids.map((pid) => String(pid).padStart(6)).join('')}\n`);
		if (call.args.some((arg) => /^-[a-z]*k/.test(arg)))
			for (const pid of pids) call.shell.host.context.sync.kill(pid, signal);
	}
	return isFound ? 0 : 1;
};

export const portUtilities = { lsof, ss, netstat, fuser };
