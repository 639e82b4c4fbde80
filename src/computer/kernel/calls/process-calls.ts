import type { ReplaceOptions, SpawnOptions } from '#computer/abi/syscalls.ts';
import type { Computer } from '../computer.ts';
import type { Image, Process } from '../processes/process.ts';
import { runToEnd } from '../processes/run.ts';
import type { NewProcess } from '../processes/table.ts';
import { type Description, NullDescription } from '../streams/description.ts';
import type { Handlers } from './handler.ts';

type ProcessCall =
	('spawn' | 'replace' | 'waitPid' | 'kill' | 'catchSignal' | 'processes') | ('exit' | 'leave' | 'run' | 'programs');

export function processCalls(computer: Computer): Pick<Handlers, ProcessCall> {
	const { table } = computer;
	return {
		spawn: (process, options) => computer.spawn(childOf(process, options)).pid,
		replace: (process, options) => computer.replace(process, imageOf(process, options)),
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
			return runToEnd(computer, process, options, {
				stdin: input === undefined ? named(stdin) : undefined,
				stdout: named(stdout),
				stderr: named(stderr),
				descriptors: descriptorsOf(process, options)
			});
		},
		programs: () => computer.commands
	};
}

/** Describes the child that `process` requests. @throws EBADF, EINVAL */
export function childOf(process: Process, options: SpawnOptions): NewProcess {
	const { group, thread } = options;
	const channel = options.channel === undefined ? undefined : process.offers.take(options.channel);
	return { ...imageOf(process, options), group, thread, channel, parent: process };
}

/** Describes the program that `process` requests to run. @throws EBADF */
function imageOf(process: Process, options: ReplaceOptions): Image {
	const { argv, cwd, env, ignored, name, umask, stdin, stdout, stderr } = options;
	const streams: Image['streams'] = [
		describe(process, stdin ?? 0),
		describe(process, stdout ?? 1),
		describe(process, stderr ?? 2)
	];
	return { argv, cwd, env, streams, descriptors: descriptorsOf(process, options), ignored, name, umask };
}

const descriptorsOf = (process: Process, { descriptors = [] }: ReplaceOptions) =>
	descriptors.map(([number, own]): [number, Description] => [number, process.descriptor(own)]);

function describe(process: Process, stream: number | 'null'): Description {
	return stream === 'null' ? new NullDescription() : process.descriptor(stream);
}
