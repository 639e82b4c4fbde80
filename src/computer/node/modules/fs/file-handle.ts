import { invalidArgument } from '../../runtime/errors.ts';
import { EventEmitter } from '../events.ts';
import { joined } from './data-parts.ts';
import { checkCall } from './signatures.ts';
import type { Stats } from './stats.ts';
import type { SyncCalls } from './sync/index.ts';
import { readTarget, writeSource } from './transfer.ts';

/** `Symbol.asyncDispose`, which older browsers lack; `build/shims/globals.ts` adds it. */
const ASYNC_DISPOSE: symbol = Reflect.get(Symbol, 'asyncDispose') as symbol;

/** Result of `fs.promises.open`. */
export class FileHandle extends EventEmitter {
	readonly #calls: SyncCalls;
	readonly #streams: FileStreams;
	fd: number;

	constructor(calls: SyncCalls, streams: FileStreams, fd: number) {
		super();
		this.#calls = calls;
		this.#streams = streams;
		this.fd = fd;
	}

	async close(): Promise<void> {
		if (this.fd < 0) return;
		const { fd } = this;
		this.fd = -1;
		this.#calls.close(fd);
		this.emit('close');
	}

	/**
	 * Returns the descriptor for a call. @throws EBADF once the handle is closed, otherwise errors of invalid arguments
	 */
	#checked(call: string, args: readonly unknown[] = []): number {
		if (this.fd < 0) throw Object.assign(new Error('file closed'), { code: 'EBADF', syscall: call });
		checkCall(call, [this.fd, ...args]);
		return this.fd;
	}

	async read(...args: unknown[]) {
		const [first = {}, second] = args;
		if (typeof first !== 'object') throw invalidArgument('options', 'of type object', first);
		const isRange = ArrayBuffer.isView(first) && (typeof second !== 'object' || second === null);
		const given = isRange ? [first, second, args[2], args[3]] : [first, second].slice(0, args.length);
		const fd = this.#checked('read', given);
		const { target, offset, length, position } = readTarget(given);
		return { bytesRead: this.#calls.read(fd, target, offset, length, position), buffer: target };
	}

	async readv(buffers: Uint8Array[], position?: unknown) {
		const fd = this.#checked('readv', [buffers]);
		return { bytesRead: this.#calls.readv(fd, buffers, numberOrNull(position)), buffers };
	}

	async write(...args: unknown[]) {
		const [buffer] = args;
		if (ArrayBuffer.isView(buffer) && buffer.byteLength === 0) return { bytesWritten: 0, buffer };
		const fd = this.#checked('write', args);
		const { bytes, position } = writeSource(args);
		return { bytesWritten: this.#calls.write(fd, bytes, 0, bytes.length, position), buffer };
	}

	async writev(buffers: Uint8Array[], position?: unknown) {
		const fd = this.#checked('writev', [buffers]);
		return { bytesWritten: this.#calls.writev(fd, buffers, numberOrNull(position)), buffers };
	}

	async readFile(options?: unknown) {
		return this.#calls.readFile(this.#checked('readFile', [options]), options);
	}

	async writeFile(data: unknown, options?: unknown): Promise<void> {
		this.#calls.writeFile(this.#checked('writeFile', ['', options]), await joined(data, options), options);
	}

	async appendFile(data: unknown, options?: unknown): Promise<void> {
		this.#calls.appendFile(this.#checked('appendFile', ['', options]), await joined(data, options), options);
	}

	async stat(options?: unknown): Promise<Stats | object> {
		return this.#calls.fstat(this.#checked('fstat'), options);
	}

	async truncate(size?: number): Promise<void> {
		this.#calls.ftruncate(this.#checked('ftruncate', [size]), size);
	}

	async chmod(mode: number): Promise<void> {
		this.#calls.fchmod(this.#checked('fchmod', [mode]), mode);
	}

	async chown(uid: number, gid: number): Promise<void> {
		this.#calls.fchown(this.#checked('fchown', [uid, gid]));
	}

	async utimes(accessed: number | Date, modified: number | Date): Promise<void> {
		this.#calls.futimes(this.#checked('futimes', [accessed, modified]), accessed, modified);
	}

	async sync(): Promise<void> {
		this.#calls.fsync(this.#checked('fsync'));
	}

	async datasync(): Promise<void> {
		this.#calls.fdatasync(this.#checked('fdatasync'));
	}

	createReadStream(options?: object) {
		return this.#streams.createReadStream('', { ...options, fd: this });
	}

	createWriteStream(options?: object) {
		return this.#streams.createWriteStream('', { ...options, fd: this });
	}

	async *readLines(): AsyncGenerator<string> {
		const text = String(this.#calls.readFile(this.#checked('readFile'), 'utf8'));
		yield* text.replace(/\r?\n$/, '').split(/\r?\n/);
	}

	[ASYNC_DISPOSE](): Promise<void> {
		return this.close();
	}
}

const numberOrNull = (position: unknown): number | null => (typeof position === 'number' ? position : null);

export interface FileStreams {
	createReadStream(path: string, options: object): unknown;
	createWriteStream(path: string, options: object): unknown;
}
