import streams from './stream.ts';

type DuplexOptions = ConstructorParameters<typeof streams.Duplex>[0];
type Done = (error?: Error | null) => void;

/** Half of a pair: what is written to it is read from the other one. */
class DuplexSide extends streams.Duplex {
	other: DuplexSide | null = null;
	/** Callback of what the other half wrote last, once it is read here. */
	#written: Done | null = null;

	override _read(): void {
		const written = this.#written;
		this.#written = null;
		written?.();
	}

	override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
		if (!this.other) return done();
		if (chunk.length === 0) {
			queueMicrotask(done);
			return;
		}
		this.other.#written = done;
		this.other.push(chunk);
	}

	override _final(done: Done): void {
		if (!this.other) return done();
		this.other.on('end', () => done());
		this.other.push(null);
	}
}

/** `stream.duplexPair`: two streams, each of which reads what is written to the other. */
export function duplexPair(options?: DuplexOptions): [DuplexSide, DuplexSide] {
	const first = new DuplexSide(options);
	const second = new DuplexSide(options);
	first.other = second;
	second.other = first;
	return [first, second];
}
