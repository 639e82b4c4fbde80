import { Buffer } from 'buffer';
import { asSystem, systemError } from '../../../runtime/errors.ts';
import { deprecateOnce } from '../../../runtime/deprecation.ts';
import { bytesOf, decoded, fsOptions, openFlags, pathText, type PathLike } from '../arguments.ts';
import type { Descriptors } from '../descriptors.ts';
import { readTarget, writeSource } from '../transfer.ts';
import type { PathCalls } from './paths.ts';

/** Calls that read and write the content of a file, by path or descriptor. */
export function contentCalls(paths: PathCalls, descriptors: Descriptors) {
	const { sys } = paths;
	const store = (target: PathLike | number, data: unknown, options: unknown, standard: string) => {
		const given = fsOptions(options);
		const bytes = bytesOf(data, given.encoding);
		if (typeof target === 'number') {
			descriptors.write(target, bytes);
			return;
		}
		const flags = openFlags(given.flag ?? standard);
		if (!flags.write) {
			// Opened as requested; the flag does not allow writing.
			descriptors.close(descriptors.open(target, given.flag));
			throw systemError('EBADF', 'write');
		}
		paths.call('open', target, (absolute) => {
			const mode = paths.newMode(given.mode, 0o666);
			try {
				if (flags.append) sys.appendFile(absolute, bytes, mode);
				else sys.writeFile(absolute, bytes, { mode, exclusive: flags.exclusive });
			} catch (error) {
				if (!isPipe(error)) throw error;
				throughPipe(descriptors, absolute, 'w', (descriptor) => descriptors.write(descriptor, bytes));
			}
		});
	};
	return {
		appendFile: (target: PathLike | number, data: unknown, options?: unknown) => store(target, data, options, 'a'),
		close: (descriptor: number) => descriptors.close(descriptor),
		fdatasync: (descriptor: number) => void descriptors.stat(descriptor),
		fsync: (descriptor: number) => void descriptors.stat(descriptor),
		ftruncate: (descriptor: number, size = 0) => sys.truncate(descriptors.path(descriptor, 'ftruncate'), size),
		open: (target: PathLike, flags?: string | number | null, mode?: number | string) =>
			descriptors.open(target, flags, mode),
		read: (descriptor: number, ...args: unknown[]) => {
			const { target, offset, length, position } = readTarget(args);
			return descriptors.read(descriptor, target, offset, length, position);
		},
		readFile: (target: PathLike | number, options?: unknown) => {
			const { encoding, flag } = fsOptions(options);
			if (typeof target === 'number') return decoded(descriptors.readAll(target), encoding);
			if (target === '/dev/stdin') return decoded(descriptors.readAll(0), encoding);
			const given = pathText(target);
			// The flag may create the file, or refuse an existing one.
			if (flag !== undefined && flag !== 'r') descriptors.close(descriptors.open(target, flag));
			const bytes = asSystem('open', given, undefined, () => readWhole(paths, descriptors, paths.at(given)));
			return decoded(bytes, encoding);
		},
		readv: (descriptor: number, views: Uint8Array[], position?: number | null) => {
			let total = 0;
			for (const view of views) {
				const at = typeof position === 'number' ? position + total : undefined;
				const count = descriptors.read(descriptor, view, 0, view.byteLength, at);
				total += count;
				if (count < view.byteLength) break;
			}
			return total;
		},
		truncate: (target: PathLike | number, size = 0) => {
			if (typeof target !== 'number') return paths.call('open', target, (absolute) => sys.truncate(absolute, size));
			const words =
				'Using fs.truncate with a file descriptor is deprecated. Please use fs.ftruncate with a file descriptor instead.';
			deprecateOnce(paths.runtime.process, words, 'DEP0081');
			sys.truncate(descriptors.path(target, 'ftruncate'), size);
		},
		write: (descriptor: number, ...args: unknown[]) => {
			const { bytes, position } = writeSource(args);
			return descriptors.write(descriptor, bytes, position);
		},
		writeFile: (target: PathLike | number, data: unknown, options?: unknown) => store(target, data, options, 'w'),
		writev: (descriptor: number, views: Uint8Array[], position?: number | null) =>
			descriptors.write(descriptor, Buffer.concat(views.map((view) => bytesOf(view))), position)
	};
}

/** Reads a whole file. Node opens a directory and fails at the read that follows; its error shows that. */
function readWhole({ sys }: PathCalls, descriptors: Descriptors, absolute: string): Uint8Array {
	try {
		return sys.readFile(absolute);
	} catch (error) {
		if (isPipe(error)) return throughPipe(descriptors, absolute, 'r', (descriptor) => descriptors.readAll(descriptor));
		if (error instanceof Error && Reflect.get(error, 'code') === 'EISDIR') throw systemError('EISDIR', 'read');
		throw error;
	}
}

/** Returns whether a call has failed because the file is a named pipe, which has to be opened. */
const isPipe = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'code') === 'ESPIPE';

function throughPipe<Result>(
	descriptors: Descriptors,
	absolute: string,
	flags: 'r' | 'w',
	use: (descriptor: number) => Result
): Result {
	const descriptor = descriptors.open(absolute, flags);
	try {
		return use(descriptor);
	} finally {
		descriptors.close(descriptor);
	}
}
