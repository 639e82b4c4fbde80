import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import {
	argumentCheck,
	arrayBufferViews,
	type Check,
	integer,
	nullable,
	type Signature
} from '../../runtime/validate.ts';
import { checkEncoding, fileTime, openFlags, pathText, type PathLike } from './arguments.ts';
import { readTarget, writeSource } from './transfer.ts';

const MAX_INT32 = 2 ** 31 - 1;
const MAX_UINT32 = 2 ** 32 - 1;

const path: Check = (value, name) => void pathText(value as PathLike, name);
const descriptor = integer(0, MAX_INT32);
const pathOrDescriptor: Check = (value, name) => {
	if (typeof value === 'number') descriptor(value, 'fd');
	else path(value, name);
};
const owner = integer(-1, MAX_UINT32);
const accessMode = nullable(integer(0, 7));

/** Permissions as a number or as octal digits. */
const permissions: Check = (value, name) => {
	if (typeof value !== 'string') return integer(0, MAX_UINT32)(value, name);
	if (/^[0-7]+$/.test(value)) return;
	const words = `The argument '${name}' must be a 32-bit unsigned integer or an octal string. Received '${value}'`;
	throw nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', words);
};

const options: Check = (value, name) => {
	if (value === undefined || value === null || typeof value === 'function') return;
	if (typeof value !== 'string' && typeof value !== 'object')
		throw invalidArgument(name, 'one of type string or object', value);
	const encoding: unknown = typeof value === 'string' ? value : Reflect.get(value, 'encoding');
	if (typeof encoding === 'string') checkEncoding(encoding);
};

/** Type of a link's target, which is only used on Windows. */
const linkType: Check = (value) => {
	if (value === undefined || value === null || ['dir', 'file', 'junction'].includes(value as string)) return;
	const words = `Symlink type must be one of "dir", "file", or "junction". Received "${String(value)}"`;
	throw nodeError(Error, 'ERR_FS_INVALID_SYMLINK_TYPE', words);
};

const time: Check = (value, name) => void fileTime(value, name);
const flags: Check = (value) => void openFlags(value as string);

const data: Check = (value, name) => {
	if (typeof value !== 'string' && !ArrayBuffer.isView(value))
		throw invalidArgument(name, 'of type string or an instance of Buffer, TypedArray, or DataView', value);
};

const SIGNATURES: Readonly<Record<string, Signature>> = {
	access: { path, mode: accessMode },
	appendFile: { path: pathOrDescriptor, data, options },
	chmod: { path, mode: permissions },
	chown: { path, uid: owner, gid: owner },
	close: { fd: descriptor },
	copyFile: { src: path, dest: path, mode: accessMode },
	fchmod: { fd: descriptor, mode: permissions },
	fchown: { fd: descriptor, uid: owner, gid: owner },
	fdatasync: { fd: descriptor },
	fstat: { fd: descriptor },
	fsync: { fd: descriptor },
	ftruncate: { fd: descriptor, len: nullable(integer()) },
	futimes: { fd: descriptor, time, mtime: time },
	lchown: { path, uid: owner, gid: owner },
	link: { existingPath: path, newPath: path },
	lstat: { path },
	lutimes: { path, time, mtime: time },
	mkdir: { path },
	mkdtemp: { prefix: path, options },
	open: { path, flags, mode: nullable(permissions) },
	opendir: { path, options },
	read: { fd: descriptor },
	readFile: { path: pathOrDescriptor, options },
	readdir: { path, options },
	readlink: { oldPath: path, options },
	readv: { fd: descriptor, buffers: arrayBufferViews },
	realpath: { path, options },
	rename: { oldPath: path, newPath: path },
	rm: { path },
	rmdir: { path },
	stat: { path },
	statfs: { path },
	symlink: { target: path, path, type: linkType },
	truncate: { path: pathOrDescriptor },
	unlink: { path },
	utimes: { path, time, mtime: time },
	write: { fd: descriptor },
	writeFile: { path: pathOrDescriptor, data, options },
	writev: { fd: descriptor, buffers: arrayBufferViews }
};

const CHECKS = new Map(Object.entries(SIGNATURES).map(([name, signature]) => [name, argumentCheck(signature)]));

/** Calls with arguments after the descriptor that depend on each other. */
const RANGES = new Map<string, (args: readonly unknown[]) => unknown>([
	['read', readTarget],
	['write', writeSource]
]);

/** Checks the arguments of an `fs` call before anything is done. */
export function checkCall(name: string, args: readonly unknown[]): void {
	CHECKS.get(name)?.(args);
	RANGES.get(name)?.(args.slice(1));
}
