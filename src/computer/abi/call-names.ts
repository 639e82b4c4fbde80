import type { SyscallName } from './syscalls.ts';

/** Every call once: the type makes sure that none is missing. */
const names: Record<SyscallName, true> = {
	stat: true,
	lstat: true,
	statOrNull: true,
	readdir: true,
	readFile: true,
	load: true,
	writeFile: true,
	appendFile: true,
	writeAt: true,
	truncate: true,
	mkdir: true,
	rmdir: true,
	unlink: true,
	remove: true,
	rename: true,
	copy: true,
	readlink: true,
	symlink: true,
	link: true,
	realpath: true,
	chmod: true,
	utimes: true,
	walk: true,
	readSmallFiles: true,
	changedSince: true,
	openFile: true,
	read: true,
	write: true,
	close: true,
	pipe: true,
	listen: true,
	accept: true,
	connect: true,
	shutdown: true,
	ports: true,
	isTerminal: true,
	terminalSize: true,
	terminalMode: true,
	terminalSettings: true,
	endReads: true,
	terminalForeground: true,
	spawn: true,
	waitPid: true,
	kill: true,
	catchSignal: true,
	processes: true,
	exit: true,
	leave: true,
	run: true,
	programs: true,
	fetch: true,
	asset: true,
	now: true
};

export const SYSCALL_NAMES = Object.keys(names) as SyscallName[];

export function isSyscallName(value: unknown): value is SyscallName {
	return typeof value === 'string' && Object.hasOwn(names, value);
}
