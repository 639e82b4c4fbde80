import type { SpawnOptions } from '#computer/abi/syscalls.ts';
import type { Machine } from '../machine.ts';
import type { Process } from '../processes/process.ts';
import { runToEnd } from '../processes/run.ts';
import type { NewProcess } from '../processes/table.ts';
import { type Description, NullDescription } from '../streams/description.ts';
import type { Handlers } from './handlers.ts';

type ProcessCall = 'spawn' | 'waitPid' | 'kill' | 'catchSignal' | 'processes' | 'exit' | 'leave' | 'run' | 'programs';

export function processCalls(machine: Machine): Pick<Handlers, ProcessCall> {
	const { table } = machine;
	return {
		spawn: (process, options) => machine.spawn(childOf(process, options)).pid,
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

/** The child that `process` asks for. @throws EBADF, EINVAL */
export function childOf(process: Process, options: SpawnOptions): NewProcess {
	const { argv, cwd, env, group, thread, stdin, stdout, stderr } = options;
	const streams: NewProcess['streams'] = [
		describe(process, stdin ?? 0),
		describe(process, stdout ?? 1),
		describe(process, stderr ?? 2)
	];
	const channel = options.channel === undefined ? undefined : process.offers.take(options.channel);
	const descriptors = options.descriptors?.map(([number, own]): [number, Description] => [
		number,
		process.descriptor(own)
	]);
	const { ignored, name } = options;
	return { argv, cwd, env, group, thread, streams, descriptors, ignored, name, channel, parent: process };
}

function describe(process: Process, stream: number | 'null'): Description {
	return stream === 'null' ? new NullDescription() : process.descriptor(stream);
}
