import type { SpawnOptions } from '../../process/syscalls.ts';
import type { Machine } from '../machine.ts';
import type { Process } from '../processes/process.ts';
import { runToEnd } from '../processes/run.ts';
import { type Description, NullDescription } from '../streams/description.ts';
import type { Handlers } from './handlers.ts';

type ProcessCall = 'spawn' | 'waitPid' | 'kill' | 'catchSignal' | 'processes' | 'exit' | 'leave' | 'run' | 'programs';

export function processCalls(machine: Machine): Pick<Handlers, ProcessCall> {
	const { table } = machine;
	return {
		spawn: (process, options) => {
			const { argv, cwd, env, group, channel } = options;
			const streams = inherited(process, options);
			if (!channel) return machine.spawn({ argv, cwd, env, group, streams, parent: process }).pid;
			const { port1, port2 } = new MessageChannel();
			const { pid } = machine.spawn({ argv, cwd, env, group, streams, parent: process, channel: port2 });
			process.worker?.channel(pid, port1);
			return pid;
		},
		waitPid: (process, pid) => table.wait(process, pid),
		kill: (_, pid, signal) => table.kill(pid, signal),
		catchSignal: (process, signal, caught, endsReads = false) => {
			if (caught) process.caught.add(signal);
			else process.caught.delete(signal);
			if (caught && endsReads) process.endingReads.add(signal);
			else process.endingReads.delete(signal);
		},
		processes: () => table.list(),
		exit: (process, code) => {
			table.end(process, { code: code & 0xff, signal: null });
		},
		leave: (process, code, wanted) => table.leave(process, { code: code & 0xff, signal: null }, wanted),
		run: (process, options) => {
			const named = (stream: number | 'null' | undefined) =>
				stream === undefined ? undefined : describe(process, stream);
			const { input, stdin, stdout, stderr } = options;
			return runToEnd(machine, process, options, {
				stdin: input === undefined ? named(stdin) : undefined,
				stdout: named(stdout),
				stderr: named(stderr)
			});
		},
		programs: () => machine.commands
	};
}

/** What a child gets as its 0, 1 and 2. @throws EBADF */
export function inherited(process: Process, options: SpawnOptions): [Description, Description, Description] {
	const { stdin, stdout, stderr } = options;
	return [describe(process, stdin ?? 0), describe(process, stdout ?? 1), describe(process, stderr ?? 2)];
}

function describe(process: Process, stream: number | 'null'): Description {
	return stream === 'null' ? new NullDescription() : process.descriptor(stream);
}
