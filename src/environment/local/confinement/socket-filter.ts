import { arch } from 'node:process';

const ALLOW = 0x7fff0000;
const REFUSE = 0x00050000;
const ENOSYS = 38;
const EACCES = 13;

const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_AT_LEAST = 0x35;
const RETURN = 0x06;

/** Offsets in the kernel's `struct seccomp_data`. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const FIRST_ARGUMENT = 16;

/** Calls of the x32 variant of x86-64 have this bit. */
const X32 = 0x40000000;
const IO_URING_SETUP = 425;
const MACHINES: Readonly<Record<string, { architecture: number; socket: number }>> = {
	x64: { architecture: 0xc000003e, socket: 41 },
	arm64: { architecture: 0xc00000b7, socket: 198 }
};

/** AF_INET, AF_INET6 and AF_NETLINK, which lists network interfaces. */
const ALLOWED_FAMILIES = [2, 10, 16];

/**
 * Builds a seccomp program in the kernel's binary form that refuses sockets of other families than the internet's. A
 * socket in the file system or of a hypervisor belongs to a service with its own rights (a container engine, a key
 * agent, a session bus), and neither a read-only mount nor a network namespace blocks it. `socketpair` is allowed,
 * since programs use it between their own processes. Also refused: io_uring, which can open sockets without the
 * `socket` call, and calls of another architecture.
 *
 * @returns `undefined` for architectures whose system call numbers are not known here
 */
export function socketFilter(): Uint8Array | undefined {
	const machine = MACHINES[arch];
	if (!machine) return undefined;
	const program: [code: number, ifTrue: number, ifFalse: number, value: number][] = [
		[LOAD_WORD, 0, 0, ARCHITECTURE],
		[JUMP_IF_EQUAL, 0, 9, machine.architecture],
		[LOAD_WORD, 0, 0, NUMBER],
		[JUMP_IF_AT_LEAST, 7, 0, X32],
		[JUMP_IF_EQUAL, 6, 0, IO_URING_SETUP],
		[JUMP_IF_EQUAL, 0, 6, machine.socket],
		[LOAD_WORD, 0, 0, FIRST_ARGUMENT],
		...ALLOWED_FAMILIES.map((family, index): [number, number, number, number] => [JUMP_IF_EQUAL, 4 - index, 0, family]),
		[RETURN, 0, 0, REFUSE | EACCES],
		[RETURN, 0, 0, REFUSE | ENOSYS],
		[RETURN, 0, 0, ALLOW]
	];
	const bytes = new DataView(new ArrayBuffer(program.length * 8));
	for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
		bytes.setUint16(index * 8, code, true);
		bytes.setUint8(index * 8 + 2, ifTrue);
		bytes.setUint8(index * 8 + 3, ifFalse);
		bytes.setUint32(index * 8 + 4, value, true);
	}
	return new Uint8Array(bytes.buffer);
}
