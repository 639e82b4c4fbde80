import type { SyscallName, Syscalls } from '#computer/abi/syscalls.ts';
import type { Process } from '../processes/process.ts';

/** Answers one call of `process`, now or later. Throws or rejects with `SyscallError`. */
export type Handler<Name extends SyscallName> = (
	process: Process,
	...args: Parameters<Syscalls[Name]>
) => ReturnType<Syscalls[Name]> | Promise<ReturnType<Syscalls[Name]>>;

export type Handlers = { [Name in SyscallName]: Handler<Name> };
