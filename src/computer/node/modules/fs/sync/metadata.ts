import { type FileSystemUsage, INODES } from '#computer/abi/file-systems.ts';
import { systemError } from '../../../runtime/errors.ts';
import { fileTime, fsOptions, modeOf, pathText, type PathLike } from '../arguments.ts';
import { constants } from '../constants.ts';
import type { Descriptors } from '../descriptors.ts';
import { bigStats } from '../stats.ts';
import { type PathCalls, statsOf } from './paths.ts';

const BLOCK_BYTES = 4096;

/** Usage of a file system as `statfs(2)` of a tmpfs gives it. */
class StatFs {
	type = 0x01021994;
	bsize = BLOCK_BYTES;
	blocks: number;
	bfree: number;
	bavail: number;
	files = INODES;
	ffree: number;

	constructor({ totalBytes, freeBytes, files }: FileSystemUsage) {
		this.blocks = Math.floor(totalBytes / BLOCK_BYTES);
		this.bfree = this.bavail = Math.floor(freeBytes / BLOCK_BYTES);
		this.ffree = INODES - files;
	}
}

/** Calls that read and change metadata of an entry: kind, mode, times, existence. The only user owns everything. */
export function metadataCalls(paths: PathCalls, descriptors: Descriptors) {
	const { sys } = paths;
	return {
		access: (target: PathLike, mode: number = constants.F_OK) =>
			paths.call('access', target, (absolute) => {
				const stat = sys.stat(absolute);
				const missing = (mode & constants.X_OK) !== 0 && stat.kind === 'file' && (stat.mode & 0o111) === 0;
				if (missing) throw systemError('EACCES', 'access', pathText(target));
			}),
		chmod: (target: PathLike, mode: number | string) =>
			paths.call('chmod', target, (absolute) => sys.chmod(absolute, modeOf(mode) ?? 0)),
		chown: (target: PathLike) => void paths.call('chown', target, (absolute) => sys.stat(absolute)),
		exists: (target: PathLike) => {
			try {
				return sys.statOrNull(paths.at(pathText(target))) !== null;
			} catch {
				// An invalid path does not exist: this call never throws.
				return false;
			}
		},
		fchmod: (descriptor: number, mode: number | string) =>
			sys.chmod(descriptors.path(descriptor, 'fchmod'), modeOf(mode) ?? 0),
		fchown: (descriptor: number) => void descriptors.path(descriptor, 'fchown'),
		fstat: (descriptor: number, options?: unknown) => {
			const stats = descriptors.stat(descriptor);
			return fsOptions(options).bigint ? bigStats(stats) : stats;
		},
		futimes: (descriptor: number, accessed: number | Date, modified: number | Date) =>
			sys.utimes(descriptors.path(descriptor, 'futime'), fileTime(accessed), fileTime(modified)),
		lchown: (target: PathLike) => void paths.call('lchown', target, (absolute) => sys.lstat(absolute)),
		lstat: statWith(paths, 'lstat'),
		lutimes: (target: PathLike, accessed: number | string | Date, modified: number | string | Date) =>
			paths.call('lutime', target, (absolute) => sys.utimes(absolute, fileTime(accessed), fileTime(modified), false)),
		stat: statWith(paths, 'stat'),
		statfs: (target: PathLike, options?: unknown) => {
			const { device } = paths.call('statfs', target, (absolute) => sys.stat(absolute));
			const [root, ...others] = sys.fileSystems();
			const usage = others.find((other) => other.device === device) ?? root;
			if (!usage) throw systemError('ENOSYS', 'statfs', pathText(target));
			const system = new StatFs(usage);
			if (!fsOptions(options).bigint) return system;
			for (const [name, value] of Object.entries(system)) Reflect.set(system, name, BigInt(value as number));
			return system;
		},
		utimes: (target: PathLike, accessed: number | string | Date, modified: number | string | Date) =>
			paths.call('utime', target, (absolute) => sys.utimes(absolute, fileTime(accessed), fileTime(modified)))
	};
}

const statWith = (paths: PathCalls, name: 'stat' | 'lstat') => (target: PathLike, options?: unknown) => {
	const { sys } = paths;
	const isOptional = fsOptions(options).throwIfNoEntry === false;
	if (isOptional && name === 'stat') {
		const stat = sys.statOrNull(paths.at(pathText(target)));
		return stat ? statsOf(stat, options) : undefined;
	}
	try {
		return statsOf(
			paths.call(name, target, (absolute) => sys[name](absolute)),
			options
		);
	} catch (error) {
		const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null;
		if (isOptional && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
		throw error;
	}
};
