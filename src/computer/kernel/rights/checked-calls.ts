import type { Rights } from '#environment/contract.ts';
import type { SyscallName, Syscalls } from '#computer/abi/syscalls.ts';
import type { Handlers } from '../calls/handler.ts';
import { join } from '#computer/abi/paths.ts';
import { errno } from '#computer/abi/errno.ts';
import { datagramSocket } from '../calls/datagram-calls.ts';
import { isSocketName } from '#computer/abi/special-files.ts';
import type { Computer } from '../computer.ts';
import type { Process } from '../processes/process.ts';
import { isLoopback, portOf } from '../sockets/loopback-fetch.ts';
import { checkWrite, hostOf, isDirectoryAt, mayReach } from './rights.ts';

interface Written {
	path: string;
	/** Set if the call follows a symbolic link in the last part of the path. */
	follow: boolean;
	/** Nothing happens if the directory already exists. */
	ensuresDirectory?: boolean;
}

type Changed = { [Name in SyscallName]?: (...args: Parameters<Syscalls[Name]>) => Written[] };

const followed = (path: string): Written[] => [{ path, follow: true }];
const itself = (...paths: string[]): Written[] => paths.map((path) => ({ path, follow: false }));

/** Paths changed by each call that changes files. Calls that are not listed change none. */
const CHANGED: Changed = {
	load: (root, files) => itself(...files.map(({ path }) => join(root, path))),
	writeFile: (path, _, options) => (options?.exclusive ? itself(path) : followed(path)),
	appendFile: followed,
	writeAt: followed,
	truncate: followed,
	mkdir: (path, options) => [{ path, follow: false, ensuresDirectory: options?.recursive ?? false }],
	rmdir: (path) => itself(path),
	unlink: (path) => itself(path),
	remove: (path) => itself(path),
	rename: (from, to) => itself(from, to),
	copy: (_, to) => followed(to),
	symlink: (_, path) => itself(path),
	mkfifo: (path) => itself(path),
	listenAt: (place) => (isSocketName(place) ? [] : itself(place)),
	link: (existing, path) => itself(existing, path),
	chmod: followed,
	utimes: followed,
	openFile: (path, mode) => (mode === 'read' ? [] : followed(path))
};

type AnyHandler = (process: Process, ...args: unknown[]) => unknown;

/**
 * Checks every call of a process with limited rights before its handler runs. Refuses with EACCES, EPERM, ECONNREFUSED.
 */
export function checkedCalls(handlers: Handlers, computer: Computer): Handlers {
	const checks: Partial<Record<SyscallName, (process: Process, rights: Rights, args: unknown[]) => void>> = {
		listen: (_, rights, [, port]) => checkHost(rights, `localhost:${String(port)}`),
		connect: (process, rights, [, port]) => checkLoopback(computer, process, rights, Number(port)),
		bindDatagrams: (_, rights, [, , port]) => {
			// A port of its own choice is a server's; any other only gets answers.
			if (port !== 0) checkHost(rights, `localhost:${String(port)}`);
		},
		sendDatagram: (process, rights, [descriptor, , address, port]) => {
			const socket = datagramSocket(process, Number(descriptor));
			const host = typeof address === 'string' ? address : null;
			const to = host === null ? (socket.peer?.port ?? 0) : Number(port);
			const owners = computer.datagramPorts.ownersAt(socket, host, to);
			if (owners.some(({ session }) => session !== process.session)) checkHost(rights, `localhost:${to}`);
		},
		connectTo: (process, rights, [place]) => {
			const owner = computer.socketFiles.ownerOf(String(place));
			if (owner && owner.session !== process.session) checkHost(rights, String(place));
		},
		fetch: (process, rights, [request]) => {
			const { url } = request as Parameters<Syscalls['fetch']>[0];
			if (isLoopback(url)) checkLoopback(computer, process, rights, portOf(url));
			else checkHost(rights, hostOf(url));
		},
		preview: (_, rights) => checkHost(rights, 'the preview'),
		kill: (process, rights, [pid, signal]) => checkSignal(computer, process, rights, Number(pid), signal)
	};
	for (const [name, changed] of Object.entries(CHANGED)) {
		// Arguments were checked against the signature of the call before.
		const pathsOf = changed as (...args: unknown[]) => Written[];
		checks[name as SyscallName] = (_, rights, args) => {
			for (const { path, follow, ensuresDirectory } of pathsOf(...args)) {
				if (ensuresDirectory && isDirectoryAt(computer.volume, path)) continue;
				checkWrite(rights, computer.volume, path, follow);
			}
		};
	}
	const checked: Partial<Record<string, AnyHandler>> = {};
	for (const [name, check] of Object.entries(checks)) {
		const handler = handlers[name as SyscallName] as AnyHandler;
		checked[name] = (process, ...args) => {
			if (process.rights) check(process, process.rights, args);
			return handler(process, ...args);
		};
	}
	return { ...handlers, ...checked };
}

function checkHost(rights: Rights, host: string): void {
	if (!mayReach(rights, host)) throw errno('ECONNREFUSED', undefined, `${host}: this command has no right to reach it`);
}

/** A server started by the same command belongs to it; any other acts with its own rights. */
function checkLoopback(computer: Computer, process: Process, rights: Rights, port: number): void {
	const owner = computer.ports.ownerOf(port);
	if (owner && owner.session === process.session) return;
	checkHost(rights, `localhost:${port}`);
}

function checkSignal(computer: Computer, process: Process, rights: Rights, pid: number, signal: unknown): void {
	if (rights.signal === 'all' || signal === 0) return;
	const outside = computer.table.targetsOf(pid).find((target) => target.session !== process.session);
	if (outside) throw errno('EPERM', undefined, `process ${outside.pid} was not started by this command`);
}
