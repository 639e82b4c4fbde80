import type { SyscallName, Syscalls } from '#computer/abi/syscalls.ts';
import { checkedCalls } from '../rights/checked-calls.ts';
import type { Machine } from '../machine.ts';
import type { Process } from '../processes/process.ts';
import { fileCalls } from '#computer/volume/file-calls.ts';
import { outsideCalls } from './outside-calls.ts';
import { processCalls } from './process-calls.ts';
import { socketCalls } from './socket-calls.ts';
import { streamCalls } from './stream-calls.ts';

/** Answers one call of `process`, now or later. Throws or rejects with `SyscallError`. */
export type Handler<Name extends SyscallName> = (
	process: Process,
	...args: Parameters<Syscalls[Name]>
) => ReturnType<Syscalls[Name]> | Promise<ReturnType<Syscalls[Name]>>;

export type Handlers = { [Name in SyscallName]: Handler<Name> };

export function createHandlers(machine: Machine): Handlers {
	const calls = {
		...fileCalls(machine),
		...streamCalls(machine),
		...socketCalls(machine),
		...processCalls(machine),
		...outsideCalls(machine)
	};
	return checkedCalls(calls, machine);
}
