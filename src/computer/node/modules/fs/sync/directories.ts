import path from 'path';
import { systemError } from '../../../runtime/errors.ts';
import { encodedName, fsOptions, pathText, type PathLike } from '../arguments.ts';
import { Directory } from '../directory.ts';
import { Dirent } from '../stats.ts';
import type { PathCalls } from './paths.ts';

/** Calls that create, list and remove directories. */
export function directoryCalls(paths: PathCalls) {
	const { runtime, sys } = paths;
	let hasWarned = false;
	let hasWarnedOfX = false;
	const warnOfRecursion = () => {
		if (hasWarned) return;
		hasWarned = true;
		const words =
			'In future versions of Node.js, fs.rmdir(path, { recursive: true }) will be removed. ' +
			'Use fs.rm(path, { recursive: true }) instead';
		runtime.process.emitWarning(words, 'DeprecationWarning', 'DEP0147');
	};
	const readdir = (target: PathLike, options?: unknown) => {
		const given = fsOptions(options);
		const base = pathText(target);
		const entries = paths.call('scandir', target, (absolute) => list(paths, absolute, base, given.recursive === true));
		if (given.withFileTypes) return entries;
		const names = entries.map((entry) => path.relative(base, path.join(entry.parentPath, entry.name)));
		return names.map((name) => encodedName(name, options));
	};
	return {
		mkdir: (target: PathLike, options?: unknown) => {
			const given = typeof options === 'object' ? fsOptions(options) : { mode: options as number | string | undefined };
			const recursive = 'recursive' in given && given.recursive === true;
			return paths.call('mkdir', target, (absolute) => {
				const first = recursive ? firstMissing(paths, absolute) : undefined;
				sys.mkdir(absolute, { recursive, mode: paths.newMode(given.mode, 0o777) });
				return first;
			});
		},
		mkdtemp: (prefix: PathLike, options?: unknown) => {
			const given = pathText(prefix, 'prefix');
			if (given.endsWith('X') && !hasWarnedOfX) {
				hasWarnedOfX = true;
				const words =
					'mkdtemp() templates ending with X are not portable. For details see: https://nodejs.org/api/fs.html';
				runtime.process.emitWarning(words);
			}
			const name = given + Math.random().toString(36).slice(2, 8).padEnd(6, 'x');
			paths.call('mkdtemp', name, (absolute) => sys.mkdir(absolute, { mode: 0o700 }));
			return encodedName(name, options);
		},
		opendir: (target: PathLike, options?: unknown) =>
			new Directory(
				pathText(target),
				() => readdir(target, { ...fsOptions(options), withFileTypes: true }) as Dirent[]
			),
		readdir,
		rmdir: (target: PathLike, options?: unknown) => {
			if (!fsOptions(options).recursive) return paths.call('rmdir', target, (absolute) => sys.rmdir(absolute));
			warnOfRecursion();
			const found = paths.call('lstat', target, (absolute) => sys.lstat(absolute));
			if (found.kind !== 'directory') throw systemError('ENOTDIR', 'rmdir', pathText(target));
			paths.call('rm', target, (absolute) => sys.remove(absolute, { recursive: true }));
		}
	};
}

/** Entries by name; those of subdirectories follow level by level, as Node lists them. */
function list(paths: PathCalls, directory: string, base: string, isRecursive: boolean): Dirent[] {
	const found: Dirent[] = [];
	const queue = [''];
	for (const below of queue) {
		const entries = paths.sys.readdir(path.join(directory, below));
		for (const { name, kind } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
			found.push(new Dirent(name, below === '' ? base : path.join(base, below), kind));
			if (isRecursive && kind === 'directory') queue.push(path.join(below, name));
		}
	}
	return found;
}

function firstMissing({ sys }: PathCalls, absolute: string): string | undefined {
	let missing: string | undefined;
	for (let directory = absolute; !sys.statOrNull(directory); directory = path.dirname(directory)) missing = directory;
	return missing;
}
