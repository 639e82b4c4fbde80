import { Buffer } from 'buffer';
import { EventEmitter } from '../events.ts';
import { joined } from './data-parts.ts';
import type { Stats } from './stats.ts';
import type { SyncCalls } from './sync.ts';

/** What `fs.promises.open` gives. */
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
		this.#calls.close(this.fd);
		this.fd = -1;
		this.emit('close');
	}

	async read(target?: unknown, offset?: unknown, length?: number, position?: unknown) {
		const given =
			target instanceof Uint8Array ? { buffer: target, offset, length, position } : { ...(target as object) };
		const options = given as { buffer?: Uint8Array; offset?: number; length?: number; position?: number };
		const buffer = options.buffer ?? Buffer.alloc(16_384);
		const bytesRead = this.#calls.read(this.fd, buffer, options.offset ?? 0, options.length, options.position);
		return { bytesRead, buffer };
	}

	async write(data: unknown, second?: unknown, third?: unknown, fourth?: unknown) {
		return { bytesWritten: this.#calls.write(this.fd, data, second, third, fourth), buffer: data };
	}

	async writev(views: Uint8Array[], position?: number) {
		return { bytesWritten: this.#calls.writev(this.fd, views, position), buffers: views };
	}

	async readFile(options?: unknown) {
		return this.#calls.readFile(this.fd, options);
	}

	async writeFile(data: unknown, options?: unknown): Promise<void> {
		this.#calls.writeFile(this.fd, await joined(data), options);
	}

	async appendFile(data: unknown, options?: unknown): Promise<void> {
		this.#calls.appendFile(this.fd, await joined(data), options);
	}

	async stat(options?: unknown): Promise<Stats | object> {
		return this.#calls.fstat(this.fd, options);
	}

	async truncate(size?: number): Promise<void> {
		this.#calls.ftruncate(this.fd, size);
	}

	async chmod(mode: number): Promise<void> {
		this.#calls.fchmod(this.fd, mode);
	}

	async utimes(accessed: number | Date, modified: number | Date): Promise<void> {
		this.#calls.futimes(this.fd, accessed, modified);
	}

	async sync(): Promise<void> {
		this.#calls.fsync(this.fd);
	}

	async datasync(): Promise<void> {
		this.#calls.fsync(this.fd);
	}

	createReadStream(options?: object) {
		return this.#streams.createReadStream('', { ...options, fd: this.fd });
	}

	createWriteStream(options?: object) {
		return this.#streams.createWriteStream('', { ...options, fd: this.fd });
	}

	async *readLines(): AsyncGenerator<string> {
		const text = String(this.#calls.readFile(this.fd, 'utf8'));
		yield* text.replace(/\r?\n$/, '').split(/\r?\n/);
	}

	[Symbol.for('Symbol.asyncDispose')](): Promise<void> {
		return this.close();
	}
}

export interface FileStreams {
	createReadStream(path: string, options: object): unknown;
	createWriteStream(path: string, options: object): unknown;
}
