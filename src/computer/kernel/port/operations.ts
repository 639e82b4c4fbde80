import { errno } from '#computer/abi/errno.ts';
import type { Operation, Operations } from '#computer/abi/protocol.ts';
import { globFiles } from '#computer/volume/glob.ts';
import { isDirectory } from '#computer/volume/inode.ts';
import { loadEntries } from '#computer/volume/load.ts';
import type { Journal } from '#computer/volume/journal.ts';
import { listTree, removeTree, renameEntry } from '#computer/volume/tree.ts';
import type { KernelComputer } from '../kernel-computer.ts';
import { pageConnection } from '../sockets/page-connection.ts';
import type { TreeEntry } from '#computer/volume/entry-set.ts';
import { Snapshots } from '#computer/volume/snapshots.ts';
import type { Trials } from '../trial/trials.ts';
import type { PageSessions } from './page-sessions.ts';

type Result<Name extends Operation> = Operations[Name]['result'];

export type OperationHandlers = {
	[Name in Operation]: (...args: Operations[Name]['args']) => Result<Name> | void | Promise<Result<Name> | void>;
};

export function createOperations(
	computer: KernelComputer,
	sessions: PageSessions,
	trials: Trials,
	journal: Journal,
	overlay: () => MessagePort,
	close: () => void
): OperationHandlers {
	const { volume } = computer;
	const snapshots = new Snapshots(volume);
	/** Entries received so far of a snapshot to restore. */
	let wanted: TreeEntry[] = [];
	const sessionsOf = (pid: number): PageSessions => trials.sessionsOf(pid) ?? sessions;
	/** The page, too, only sees paths below the writable roots, wherever links lead. */
	const inside = (path: string, follow = true): string => {
		volume.writable(path, follow);
		return path;
	};
	return {
		ping: () => {},
		readBytes: (path) => trials.temporary.read(volume, path) ?? volume.readFile(inside(path)),
		writeFile: (path, bytes) => {
			volume.makeParents(path);
			volume.writeFile(path, bytes);
		},
		stat: (path) => {
			const { kind, size, mode, modifiedMs } = volume.lstat(inside(path, false));
			if (kind === 'fifo') throw errno('EINVAL', path, `${path} is a named pipe, which only programs can use`);
			if (kind === 'socket') throw errno('EINVAL', path, `${path} is a socket, which only programs can use`);
			return { kind, size, mode: mode & 0o7777, modifiedMs };
		},
		list: (path, depth) => listTree(volume, inside(path), depth),
		remove: (path, recursive) => {
			// Unlike `rm`, an empty directory needs no `recursive`.
			const { link } = volume.existing(inside(path, false), false);
			if (isDirectory(link) && !recursive) volume.rmdir(path);
			else removeTree(volume, path, { recursive });
		},
		rename: (from, to) => renameEntry(volume, from, to),
		makeDirectory: (path) => volume.mkdir(path, { recursive: true }),
		readLink: (path) => volume.readlink(inside(path, false)),
		symlink: (target, path) => volume.symlink(target, path),
		setMode: (path, mode) => volume.chmod(path, mode),
		load: (entries, root, restored) => loadEntries(volume, root, entries, { restored }),
		glob: (pattern, path) => globFiles(volume, pattern, inside(path)),
		start: (options) => {
			if (options.takesTemporaryFiles) trials.temporary.release(volume);
			return sessions.start(options);
		},
		startTrial: (options, rights) => trials.start(options, rights),
		trialEffects: (pid) => trials.get(pid).effects(),
		readTrial: (pid, path, side) => trials.get(pid).read(path, side),
		applyTrial: (pid) => {
			const merge = trials.get(pid).apply();
			trials.end(pid);
			return merge;
		},
		endTrial: (pid) => trials.end(pid),
		write: (pid, bytes) => sessionsOf(pid).write(pid, bytes),
		closeInput: (pid) => sessionsOf(pid).closeInput(pid),
		kill: (pid, signal) => sessionsOf(pid).kill(pid, signal),
		resize: (pid, size) => sessions.resize(pid, size),
		snapshot: (known) => snapshots.difference(known),
		restore: (entries, more) => {
			wanted = wanted.concat(entries);
			if (more) return;
			const all = wanted;
			wanted = [];
			snapshots.restore(all);
			computer.prepared.forget();
		},
		readBlob: (blob) => snapshots.read(blob),
		putBlobs: (blobs) => snapshots.keep(blobs),
		forgetBlobs: (blobs) => snapshots.forget(blobs),
		settled: () => journal.settled(),
		connectLoopback: (port) => pageConnection(computer.ports.connect('localhost', port)),
		overlay,
		endProcesses: () => {
			trials.endAll();
			computer.table.killAll();
		},
		close
	};
}
