import { asSystem, nodeError, systemError } from '../../../runtime/errors.ts';
import { encodedName, fsOptions, pathText, type PathLike } from '../arguments.ts';
import { constants } from '../constants.ts';
import { copyTree, type CopyOptions } from '../copy.ts';
import type { PathCalls } from './paths.ts';

/** Calls that copy, move, link and remove directory entries, and follow links. */
export function entryCalls(paths: PathCalls) {
	const { sys } = paths;
	return {
		copyFile: (from: PathLike, to: PathLike, mode = 0) =>
			paths.pair('copyfile', from, to, (source, target) => {
				const failed = (code: string) => systemError(code, 'copyfile', pathText(from), pathText(to));
				if ((mode & constants.COPYFILE_EXCL) !== 0 && sys.statOrNull(target)) throw failed('EEXIST');
				if (sys.stat(source).kind === 'directory') throw failed('EISDIR');
				sys.copy(source, target);
			}),
		cp: (from: PathLike, to: PathLike, options?: CopyOptions) =>
			copyTree(sys, paths.at(pathText(from)), paths.at(pathText(to)), options ?? {}),
		link: (existing: PathLike, to: PathLike) => paths.pair('link', existing, to, (a, b) => sys.link(a, b)),
		readlink: (target: PathLike, options?: unknown) =>
			encodedName(
				paths.call('readlink', target, (absolute) => sys.readlink(absolute)),
				options
			),
		realpath: (target: PathLike, options?: unknown) =>
			encodedName(
				paths.call('realpath', target, (absolute) => sys.realpath(absolute)),
				options
			),
		rename: (from: PathLike, to: PathLike) => paths.pair('rename', from, to, (a, b) => sys.rename(a, b)),
		rm: (target: PathLike, options?: unknown) => {
			const { recursive = false, force = false } = fsOptions(options);
			const given = pathText(target);
			paths.call('rm', target, (absolute) => {
				const stat = sys.statOrNull(absolute);
				if (stat?.kind === 'directory' && !recursive && sys.lstat(absolute).kind === 'directory') {
					const words = `Path is a directory: rm returned EISDIR (is a directory) ${given}`;
					throw Object.assign(nodeError(Error, 'ERR_FS_EISDIR', words), { name: 'SystemError', errno: 21 });
				}
				sys.remove(absolute, { recursive, force });
			});
		},
		symlink: (target: PathLike, to: PathLike, type?: unknown) => {
			checkLinkType(type);
			const [text, given] = [pathText(target, 'target'), pathText(to)];
			asSystem('symlink', text, given, () => sys.symlink(text, paths.at(given)));
		},
		unlink: (target: PathLike) => paths.call('unlink', target, (absolute) => sys.unlink(absolute))
	};
}

/** @throws ERR_FS_INVALID_SYMLINK_TYPE for any but the three names that Node accepts */
function checkLinkType(type: unknown): void {
	if (typeof type !== 'string' || ['dir', 'file', 'junction'].includes(type)) return;
	const words = `Symlink type must be one of "dir", "file", or "junction". Received "${type}"`;
	throw nodeError(Error, 'ERR_FS_INVALID_SYMLINK_TYPE', words);
}
