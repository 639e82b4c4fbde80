import { errno } from '#computer/abi/errno.ts';
import type { OpenMode } from '#computer/abi/syscalls.ts';
import type { Volume } from '#computer/volume/volume.ts';
import { Description } from './description.ts';

/** Open file with its own position, for redirections. */
export class FileDescription extends Description {
	#position: number;
	/** Locker → what to do when the file is closed. */
	readonly #closing = new Map<object, () => void>();

	constructor(
		private readonly volume: Volume,
		readonly path: string,
		private readonly mode: OpenMode,
		position = 0
	) {
		super();
		this.#position = position;
		if (mode === 'read') volume.file(path);
		else if (mode === 'write') volume.writeFile(path, new Uint8Array(0));
		else volume.appendFile(path, new Uint8Array(0));
	}

	override read(max: number): Uint8Array {
		if (this.mode !== 'read' && this.mode !== 'both') throw errno('EBADF', this.path);
		const bytes = this.volume.readFile(this.path, this.#position, max);
		this.#position += bytes.length;
		return bytes;
	}

	override unread(bytes: Uint8Array): void {
		this.#position = Math.max(0, this.#position - bytes.length);
	}

	override write(bytes: Uint8Array): void {
		if (this.mode === 'read') throw errno('EBADF', this.path);
		if (this.mode === 'append' || this.path === '/dev/null') return this.volume.appendFile(this.path, bytes);
		this.volume.writeAt(this.path, bytes, this.#position);
		this.#position += bytes.length;
	}

	/** Calls back once when the last descriptor is closed; a second call with the same key changes nothing. */
	onClosed(key: object, act: () => void): void {
		if (!this.#closing.has(key)) this.#closing.set(key, act);
	}

	protected override closed(): void {
		for (const act of this.#closing.values()) act();
		this.#closing.clear();
	}
}
