import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { DescriptorTable } from './descriptors.ts';
import { Filesystem } from './filesystem.ts';
import type { ModuleMemory } from './memory.ts';
import { Streams } from './streams.ts';
import { System } from './system.ts';
import { Errno } from './types.ts';

/** All functions of WASI preview 1, over the kernel's calls. No descriptor is a socket. */
export function preview1(
	memory: ModuleMemory,
	descriptors: DescriptorTable,
	calls: SyncSyscalls,
	args: readonly string[],
	env: Readonly<Record<string, string>>
): WebAssembly.ModuleImports {
	const sockets = ['sock_accept', 'sock_recv', 'sock_send', 'sock_shutdown'];
	return {
		...new System(memory, args, env).imports(),
		...new Streams(memory, descriptors, calls).imports(),
		...new Filesystem(memory, descriptors, calls).imports(),
		...Object.fromEntries(sockets.map((name) => [name, () => Errno.notSocket]))
	};
}
