import { Buffer } from 'buffer';
import path from 'path';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { asSystem, nodeError, systemError } from '../../runtime/errors.ts';
import {
	bytesOf,
	decoded,
	encodedName,
	fileTime,
	fsOptions,
	modeOf,
	openFlags,
	pathText,
	type PathLike
} from './arguments.ts';
import { constants } from './constants.ts';
import { copyTree, type CopyOptions } from './copy.ts';
import type { Descriptors } from './descriptors.ts';
import { Directory } from './directory.ts';
import { bigStats, Dirent, Stats } from './stats.ts';
import { readTarget, writeSource } from './transfer.ts';

/** Size of the volume in the form of a disk's: only the browser limits it. */
class StatFs {
	type = 0x01021994;
	bsize = 4096;
	blocks = 131_072;
	bfree = 65_536;
	bavail = 65_536;
	files = 0;
	ffree = 0;
}

/** @throws ERR_FS_INVALID_SYMLINK_TYPE for a name that is none of the three that Node knows */
function checkLinkType(type: unknown): void {
	if (typeof type !== 'string' || ['dir', 'file', 'junction'].includes(type)) return;
	const words = `Symlink type must be one of "dir", "file", or "junction". Received "${type}"`;
	throw nodeError(Error, 'ERR_FS_INVALID_SYMLINK_TYPE', words);
}

/** The calls of `fs` that return when they are done. Callbacks and promises are made from these. */
export function syncCalls(runtime: Runtime, descriptors: Descriptors) {
	const { sys } = runtime;
	const at = (given: string) => runtime.resolvePath(given);
	const call = <Result>(syscall: string, target: PathLike, run: (absolute: string) => Result): Result => {
		const given = pathText(target);
		return asSystem(syscall, given, undefined, () => run(at(given)));
	};
	const pair = <Result>(syscall: string, from: PathLike, to: PathLike, run: (from: string, to: string) => Result) => {
		const [source, target] = [pathText(from), pathText(to)];
		return asSystem(syscall, source, target, () => run(at(source), at(target)));
	};
	const newMode = (mode: unknown, standard: number) =>
		(modeOf(mode as number | string | undefined) ?? standard) & ~runtime.process.umask();
	const shown = (stat: WireStat, options: unknown) => {
		const stats = new Stats(stat);
		return fsOptions(options).bigint ? bigStats(stats) : stats;
	};
	const statWith = (name: 'stat' | 'lstat') => (target: PathLike, options?: unknown) => {
		if (fsOptions(options).throwIfNoEntry === false && name === 'stat') {
			const stat = sys.statOrNull(at(pathText(target)));
			return stat ? shown(stat, options) : undefined;
		}
		try {
			return shown(
				call(name, target, (absolute) => sys[name](absolute)),
				options
			);
		} catch (error) {
			const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null;
			if (fsOptions(options).throwIfNoEntry === false && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
			throw error;
		}
	};
	const writeFile = (target: PathLike | number, data: unknown, options: unknown, standard: string) => {
		const given = fsOptions(options);
		const bytes = bytesOf(data, given.encoding);
		if (typeof target === 'number') {
			descriptors.write(target, bytes);
			return;
		}
		const flags = openFlags(given.flag ?? standard);
		call('open', target, (absolute) => {
			if (flags.append) sys.appendFile(absolute, bytes, newMode(given.mode, 0o666));
			else sys.writeFile(absolute, bytes, { mode: newMode(given.mode, 0o666), exclusive: flags.exclusive });
		});
	};
	const list = (directory: string, base: string, recursive: boolean): Dirent[] =>
		sys.readdir(directory).flatMap((entry) => {
			const own = new Dirent(entry.name, base, entry.kind);
			if (!recursive || entry.kind !== 'directory') return [own];
			return [own, ...list(path.join(directory, entry.name), path.join(base, entry.name), true)];
		});
	const readdir = (target: PathLike, options?: unknown) => {
		const given = fsOptions(options);
		const base = pathText(target);
		const entries = call('scandir', target, (absolute) => list(absolute, base, given.recursive === true));
		entries.sort((a, b) => (a.name < b.name ? -1 : 1));
		if (given.withFileTypes) return entries;
		const names = entries.map((entry) => path.relative(base, path.join(entry.parentPath, entry.name)));
		return names.map((name) => encodedName(name, options));
	};
	const mkdir = (target: PathLike, options?: unknown) => {
		const given = typeof options === 'object' ? fsOptions(options) : { mode: options as number | string | undefined };
		const recursive = 'recursive' in given && given.recursive === true;
		return call('mkdir', target, (absolute) => {
			const first = recursive ? firstMissing(absolute) : undefined;
			sys.mkdir(absolute, { recursive, mode: newMode(given.mode, 0o777) });
			return first;
		});
	};
	const firstMissing = (absolute: string): string | undefined => {
		let missing: string | undefined;
		for (let directory = absolute; !sys.statOrNull(directory); directory = path.dirname(directory)) missing = directory;
		return missing;
	};
	const remove = (target: PathLike, options?: unknown) => {
		const { recursive = false, force = false } = fsOptions(options);
		const given = pathText(target);
		call('rm', target, (absolute) => {
			const stat = sys.statOrNull(absolute);
			if (stat?.kind === 'directory' && !recursive && sys.lstat(absolute).kind === 'directory') {
				const words = `Path is a directory: rm returned EISDIR (is a directory) ${given}`;
				throw Object.assign(nodeError(Error, 'ERR_FS_EISDIR', words), { name: 'SystemError', errno: 21 });
			}
			sys.remove(absolute, { recursive, force });
		});
	};
	let warned = false;
	const warnOfRecursion = () => {
		if (warned) return;
		warned = true;
		const words =
			'In future versions of Node.js, fs.rmdir(path, { recursive: true }) will be removed. ' +
			'Use fs.rm(path, { recursive: true }) instead';
		runtime.process.emitWarning(words, 'DeprecationWarning', 'DEP0147');
	};
	const access = (target: PathLike, mode: number = constants.F_OK) =>
		call('access', target, (absolute) => {
			const stat = sys.stat(absolute);
			const missing = (mode & constants.X_OK) !== 0 && stat.kind === 'file' && (stat.mode & 0o111) === 0;
			if (missing) throw systemError('EACCES', 'access', pathText(target));
		});
	const mkdtemp = (prefix: PathLike, options?: unknown) => {
		const name = pathText(prefix, 'prefix') + Math.random().toString(36).slice(2, 8).padEnd(6, 'x');
		call('mkdtemp', name, (absolute) => sys.mkdir(absolute, { mode: 0o700 }));
		return encodedName(name, options);
	};
	return {
		access,
		appendFile: (target: PathLike | number, data: unknown, options?: unknown) => writeFile(target, data, options, 'a'),
		chmod: (target: PathLike, mode: number | string) =>
			call('chmod', target, (absolute) => sys.chmod(absolute, modeOf(mode) ?? 0)),
		chown: (target: PathLike) => void call('chown', target, (absolute) => sys.stat(absolute)),
		close: (descriptor: number) => descriptors.close(descriptor),
		copyFile: (from: PathLike, to: PathLike, mode = 0) =>
			pair('copyfile', from, to, (source, target) => {
				if ((mode & constants.COPYFILE_EXCL) !== 0 && sys.statOrNull(target)) {
					throw systemError('EEXIST', 'copyfile', pathText(from), pathText(to));
				}
				if (sys.stat(source).kind === 'directory')
					throw systemError('EISDIR', 'copyfile', pathText(from), pathText(to));
				sys.copy(source, target);
			}),
		cp: (from: PathLike, to: PathLike, options?: CopyOptions) =>
			copyTree(sys, at(pathText(from)), at(pathText(to)), options ?? {}),
		exists: (target: PathLike) => {
			try {
				return sys.statOrNull(at(pathText(target))) !== null;
			} catch {
				// A path that cannot be one does not exist: this call never throws.
				return false;
			}
		},
		fchmod: (descriptor: number, mode: number | string) =>
			sys.chmod(descriptors.path(descriptor, 'fchmod'), modeOf(mode) ?? 0),
		fchown: (descriptor: number) => void descriptors.path(descriptor, 'fchown'),
		fdatasync: (descriptor: number) => void descriptors.stat(descriptor),
		fstat: (descriptor: number, options?: unknown) => {
			const stats = descriptors.stat(descriptor);
			return fsOptions(options).bigint ? bigStats(stats) : stats;
		},
		fsync: (descriptor: number) => void descriptors.stat(descriptor),
		ftruncate: (descriptor: number, size = 0) => sys.truncate(descriptors.path(descriptor, 'ftruncate'), size),
		futimes: (descriptor: number, accessed: number | Date, modified: number | Date) =>
			sys.utimes(descriptors.path(descriptor, 'futime'), fileTime(accessed), fileTime(modified)),
		lchown: (target: PathLike) => void call('lchown', target, (absolute) => sys.lstat(absolute)),
		link: (existing: PathLike, to: PathLike) => pair('link', existing, to, (a, b) => sys.link(a, b)),
		lstat: statWith('lstat'),
		lutimes: (target: PathLike) => void call('lutime', target, (absolute) => sys.lstat(absolute)),
		mkdir,
		mkdtemp,
		open: (target: PathLike, flags?: string | number | null, mode?: number | string) =>
			descriptors.open(target, flags, mode),
		opendir: (target: PathLike, options?: unknown) =>
			new Directory(
				pathText(target),
				() => readdir(target, { ...fsOptions(options), withFileTypes: true }) as Dirent[]
			),
		read: (descriptor: number, ...args: unknown[]) => {
			const { target, offset, length, position } = readTarget(args);
			return descriptors.read(descriptor, target, offset, length, position);
		},
		readFile: (target: PathLike | number, options?: unknown) => {
			const { encoding } = fsOptions(options);
			if (typeof target === 'number') return decoded(descriptors.readAll(target), encoding);
			if (target === '/dev/stdin') return decoded(descriptors.readAll(0), encoding);
			const given = pathText(target);
			const bytes = asSystem('open', given, undefined, () => readWhole(at(given)));
			return decoded(bytes, encoding);
		},
		readdir,
		readlink: (target: PathLike, options?: unknown) =>
			encodedName(
				call('readlink', target, (absolute) => sys.readlink(absolute)),
				options
			),
		readv: (descriptor: number, views: Uint8Array[], position?: number | null) => {
			let total = 0;
			for (const view of views) {
				const count = descriptors.read(
					descriptor,
					view,
					0,
					view.byteLength,
					typeof position === 'number' ? position + total : undefined
				);
				total += count;
				if (count < view.byteLength) break;
			}
			return total;
		},
		realpath: (target: PathLike, options?: unknown) =>
			encodedName(
				call('realpath', target, (absolute) => sys.realpath(absolute)),
				options
			),
		rename: (from: PathLike, to: PathLike) => pair('rename', from, to, (a, b) => sys.rename(a, b)),
		rm: remove,
		rmdir: (target: PathLike, options?: unknown) => {
			if (!fsOptions(options).recursive) return call('rmdir', target, (absolute) => sys.rmdir(absolute));
			warnOfRecursion();
			const found = call('lstat', target, (absolute) => sys.lstat(absolute));
			if (found.kind !== 'directory') throw systemError('ENOTDIR', 'rmdir', pathText(target));
			call('rm', target, (absolute) => sys.remove(absolute, { recursive: true }));
		},
		stat: statWith('stat'),
		statfs: (target: PathLike, options?: unknown) => {
			call('statfs', target, (absolute) => sys.stat(absolute));
			const system = new StatFs();
			if (!fsOptions(options).bigint) return system;
			for (const [name, value] of Object.entries(system)) Reflect.set(system, name, BigInt(value as number));
			return system;
		},
		symlink: (target: PathLike, to: PathLike, type?: unknown) => {
			checkLinkType(type);
			const [text, given] = [pathText(target, 'target'), pathText(to)];
			asSystem('symlink', text, given, () => sys.symlink(text, at(given)));
		},
		truncate: (target: PathLike | number, size = 0) =>
			typeof target === 'number'
				? sys.truncate(descriptors.path(target, 'ftruncate'), size)
				: call('open', target, (absolute) => sys.truncate(absolute, size)),
		unlink: (target: PathLike) => call('unlink', target, (absolute) => sys.unlink(absolute)),
		utimes: (target: PathLike, accessed: number | string | Date, modified: number | string | Date) =>
			call('utime', target, (absolute) => sys.utimes(absolute, fileTime(accessed), fileTime(modified))),
		write: (descriptor: number, ...args: unknown[]) => {
			const { bytes, position } = writeSource(args);
			return descriptors.write(descriptor, bytes, position);
		},
		writeFile: (target: PathLike | number, data: unknown, options?: unknown) => writeFile(target, data, options, 'w'),
		writev: (descriptor: number, views: Uint8Array[], position?: number | null) =>
			descriptors.write(descriptor, Buffer.concat(views.map((view) => bytesOf(view))), position)
	};

	/** Node opens a directory and fails on the read that follows; its error says so. */
	function readWhole(absolute: string): Uint8Array {
		try {
			return sys.readFile(absolute);
		} catch (error) {
			if (error instanceof Error && Reflect.get(error, 'code') === 'EISDIR') throw systemError('EISDIR', 'read');
			throw error;
		}
	}
}

export type SyncCalls = ReturnType<typeof syncCalls>;
