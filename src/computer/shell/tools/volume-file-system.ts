import type { IFileSystem } from 'just-bash/browser';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { SyscallError } from '#computer/abi/client.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { normalize } from '../state/shell.ts';
import { decode, encode, fromLatin1, toLatin1 } from '#computer/process/text.ts';

type ReadOptions = Parameters<IFileSystem['readFile']>[1];
type Content = Parameters<IFileSystem['writeFile']>[1];
type WriteOptions = Parameters<IFileSystem['writeFile']>[2];
type FileSystemStat = Awaited<ReturnType<IFileSystem['stat']>>;

/** The volume as just-bash's commands see it: each call is one synchronous call of the kernel. */
export class VolumeFileSystem implements IFileSystem {
	/**
	 * @param provided whether a command of this name is part of the shell: just-bash looks it up in the PATH
	 * @param mode of new files
	 */
	constructor(
		private readonly files: SyncSyscalls,
		private readonly provided: (name: string) => boolean,
		private readonly mode: () => number
	) {}

	async readFile(path: string, options?: ReadOptions): Promise<string> {
		const bytes = this.#read(path);
		const encoding = typeof options === 'string' ? options : options?.encoding;
		return encoding === 'binary' || encoding === 'latin1' ? toLatin1(bytes) : decode(bytes);
	}

	async readFileBuffer(path: string): Promise<Uint8Array> {
		return this.#read(path);
	}

	async writeFile(path: string, content: Content, options?: WriteOptions): Promise<void> {
		if (path === '/dev/null') return;
		translate(path, () => this.files.writeFile(path, toBytes(content, options), { mode: this.mode() }));
	}

	async appendFile(path: string, content: Content, options?: WriteOptions): Promise<void> {
		if (path === '/dev/null') return;
		translate(path, () => this.files.appendFile(path, toBytes(content, options)));
	}

	async exists(path: string): Promise<boolean> {
		return path === '/dev/null' || this.#isProvided(path) || this.files.statOrNull(path) !== null;
	}

	async stat(path: string): Promise<FileSystemStat> {
		if (this.#isProvided(path)) return COMMAND_FILE;
		return translate(path, () => toStat(this.files.stat(path)));
	}

	async lstat(path: string): Promise<FileSystemStat> {
		if (this.#isProvided(path)) return COMMAND_FILE;
		return translate(path, () => toStat(this.files.lstat(path)));
	}

	async mkdir(path: string, options?: { recursive?: boolean }): Promise<void> {
		translate(path, () => this.files.mkdir(path, options?.recursive ? { recursive: true } : {}));
	}

	async readdir(path: string): Promise<string[]> {
		return translate(path, () => this.files.readdir(path).map((entry) => entry.name));
	}

	async readdirWithFileTypes(path: string) {
		return translate(path, () =>
			this.files.readdir(path).map(({ name, kind }) => ({
				name,
				isFile: kind === 'file',
				isDirectory: kind === 'directory',
				isSymbolicLink: kind === 'symlink'
			}))
		);
	}

	async rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void> {
		translate(path, () => {
			if (options?.recursive || options?.force)
				return this.files.remove(path, { recursive: options.recursive ?? false, force: options.force ?? false });
			const kind = this.files.lstat(path).kind;
			return kind === 'directory' ? this.files.rmdir(path) : this.files.unlink(path);
		});
	}

	async cp(from: string, to: string, options?: { recursive?: boolean }): Promise<void> {
		translate(from, () => this.files.copy(from, to, { recursive: options?.recursive ?? false }));
	}

	async mv(from: string, to: string): Promise<void> {
		translate(from, () => this.files.rename(from, to));
	}

	resolvePath(base: string, path: string): string {
		return normalize(path.startsWith('/') ? path : `${base}/${path}`);
	}

	/** Asked for by nothing the shell uses; walking the whole volume here would be wrong. */
	getAllPaths(): string[] {
		return [];
	}

	async chmod(path: string, mode: number): Promise<void> {
		translate(path, () => this.files.chmod(path, mode));
	}

	async symlink(target: string, path: string): Promise<void> {
		translate(path, () => this.files.symlink(target, path));
	}

	async link(existing: string, path: string): Promise<void> {
		translate(path, () => this.files.link(existing, path));
	}

	async readlink(path: string): Promise<string> {
		return translate(path, () => this.files.readlink(path));
	}

	async realpath(path: string): Promise<string> {
		return translate(path, () => this.files.realpath(path));
	}

	async utimes(path: string, access: Date, modified: Date): Promise<void> {
		translate(path, () => this.files.utimes(path, access.getTime(), modified.getTime()));
	}

	#isProvided(path: string): boolean {
		return (
			path.startsWith(COMMANDS) && this.provided(path.slice(COMMANDS.length)) && this.files.statOrNull(path) === null
		);
	}

	#read(path: string): Uint8Array {
		if (path === '/dev/null') return new Uint8Array();
		return translate(path, () => this.files.readFile(path));
	}
}

const COMMANDS = '/usr/bin/';
const COMMAND_FILE: FileSystemStat = {
	isFile: true,
	isDirectory: false,
	isSymbolicLink: false,
	mode: 0o755,
	size: 0,
	mtime: new Date(0)
};

/** just-bash distinguishes failures by the start of the message, in Node's form. */
function translate<Value>(path: string, call: () => Value): Value {
	try {
		return call();
	} catch (error) {
		if (!(error instanceof SyscallError)) throw error;
		throw Object.assign(new Error(`${error.code}: ${TEXTS[error.code] ?? error.message}, '${path}'`), {
			code: error.code
		});
	}
}

const TEXTS: Record<string, string> = {
	ENOENT: 'no such file or directory',
	EISDIR: 'illegal operation on a directory',
	ENOTDIR: 'not a directory',
	EEXIST: 'file already exists',
	ENOTEMPTY: 'directory not empty',
	EACCES: 'permission denied',
	EPERM: 'operation not permitted',
	ENOSPC: 'no space left on device',
	EINVAL: 'invalid argument',
	ELOOP: 'too many symbolic links'
};

function toBytes(content: Content, options: WriteOptions): Uint8Array {
	if (typeof content !== 'string') return content;
	const encoding = typeof options === 'string' ? options : options?.encoding;
	return encoding === 'binary' || encoding === 'latin1' ? fromLatin1(content) : encode(content);
}

function toStat(stat: WireStat): FileSystemStat {
	return {
		isFile: stat.kind === 'file',
		isDirectory: stat.kind === 'directory',
		isSymbolicLink: stat.kind === 'symlink',
		mode: stat.mode & 0o7777,
		size: stat.size,
		mtime: new Date(stat.modifiedMs),
		dev: 1,
		ino: stat.inode
	};
}
