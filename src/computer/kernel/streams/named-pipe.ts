import type { Node } from '@jsonjoy.com/fs-core';
import type { OpenMode } from '#computer/abi/syscalls.ts';
import { errno } from '#computer/abi/errno.ts';
import { isFifo } from '#computer/volume/inode.ts';
import { lookup } from '#computer/volume/lookup.ts';
import type { Volume } from '#computer/volume/volume.ts';
import { Description } from './description.ts';
import { Pipe } from './pipe.ts';
import type { StreamUser } from './stream-user.ts';

/** Named pipes of a volume: all ends opened by a name of the same pipe are connected. */
export class NamedPipes {
	readonly #pipes = new WeakMap<Node, NamedPipe>();

	constructor(private readonly volume: Volume) {}

	/** Opens an end, or returns `null` if there is no named pipe. */
	open(path: string, mode: OpenMode): NamedPipeEnd | null {
		const { link } = lookup(this.volume.root, path, true);
		if (!link || !isFifo(link)) return null;
		const node = link.getNode();
		const pipe = this.#pipes.get(node) ?? new NamedPipe();
		this.#pipes.set(node, pipe);
		return new NamedPipeEnd(pipe, mode);
	}
}

type Side = 'reads' | 'writes';

/** Pipe between all open ends of one name. Unread bytes are lost when the last end closes. */
class NamedPipe {
	readonly bytes = new Pipe();
	readonly #open: Record<Side, Set<NamedPipeEnd>> = { reads: new Set(), writes: new Set() };

	add(end: NamedPipeEnd, side: Side): void {
		this.#open[side].add(end);
		if (side === 'reads') this.bytes.readerOpened();
		else this.bytes.writerOpened();
		const others = this.#open[side === 'reads' ? 'writes' : 'reads'];
		if (others.size > 0) end.meet();
		for (const other of others) other.meet();
	}

	remove(end: NamedPipeEnd, side: Side): void {
		this.#open[side].delete(end);
		if (this.#open[side].size > 0) return;
		if (side === 'reads') this.bytes.readerClosed();
		else this.bytes.writerClosed();
	}
}

/** Open end of a named pipe, or both of its ends in one. */
export class NamedPipeEnd extends Description {
	readonly #sides: readonly Side[];
	#hasMet = false;
	#waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];

	constructor(
		private readonly pipe: NamedPipe,
		mode: OpenMode
	) {
		super();
		this.#sides = mode === 'both' ? ['reads', 'writes'] : [mode === 'read' ? 'reads' : 'writes'];
		for (const side of this.#sides) pipe.add(this, side);
	}

	/** Waits until the other side has been opened once. @throws EBADF if this end is closed meanwhile */
	opened(): void | Promise<void> {
		if (!this.#hasMet) return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
	}

	meet(): void {
		this.#hasMet = true;
		for (const { resolve } of this.#waiting.splice(0)) resolve();
	}

	override readiness() {
		const { isReadable, room } = this.pipe.bytes;
		const reads = this.#sides.includes('reads');
		return { readable: reads && isReadable, room: this.#sides.includes('writes') ? room : 0 };
	}

	override watch(caller: () => void) {
		return this.pipe.bytes.watchers.add(caller);
	}

	override read(max: number, reader: StreamUser | null) {
		if (!this.#sides.includes('reads')) throw errno('EBADF');
		return this.pipe.bytes.read(max, reader);
	}

	override unread(bytes: Uint8Array): void {
		this.pipe.bytes.putBack(bytes);
	}

	override write(bytes: Uint8Array, writer: StreamUser | null) {
		if (!this.#sides.includes('writes')) throw errno('EBADF');
		return this.pipe.bytes.write(bytes, writer);
	}

	protected override closed(): void {
		for (const side of this.#sides) this.pipe.remove(this, side);
		for (const { reject } of this.#waiting.splice(0)) reject(errno('EBADF'));
	}
}
