import type { Volume } from '#computer/volume/volume.ts';
import type { Outside } from './outside.ts';
import type { FileLocks } from './streams/file-locks.ts';
import type { NamedPipes } from './streams/named-pipe.ts';
import type { Image, Process } from './processes/process.ts';
import type { NewProcess, ProcessTable } from './processes/table.ts';
import type { DatagramPorts } from './sockets/datagram-ports.ts';
import type { Ports } from './sockets/ports.ts';
import type { SocketFiles } from './sockets/socket-files.ts';

/**
 * One computer as seen by its system calls: files, processes and ports, in the kernel that `KernelComputer` assembles.
 */
export interface Computer {
	readonly volume: Volume;
	readonly namedPipes: NamedPipes;
	readonly fileLocks: FileLocks;
	readonly table: ProcessTable;
	readonly ports: Ports;
	readonly datagramPorts: DatagramPorts;
	readonly socketFiles: SocketFiles;
	readonly outside: Outside;
	/** Names of the commands that are programs of the computer, sorted. */
	readonly commands: string[];
	/** Command → program. */
	readonly programs: ReadonlyMap<string, string>;
	/** Starts a process, which exists immediately. @throws ENOENT, EACCES, EAGAIN, ENOTDIR */
	spawn(options: NewProcess): Process;
	/** Runs another program in `process`. @throws ENOENT, EACCES, ENOTDIR, after which it continues unchanged */
	replace(process: Process, image: Image): void;
}
