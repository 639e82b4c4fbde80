import type { SignalName } from '#computer/abi/syscalls.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { listening } from './ports.ts';

/** `fuser 3000/tcp`, with `-k` to end the listening process. */
export const fuser: BuiltIn = async (call) => {
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
