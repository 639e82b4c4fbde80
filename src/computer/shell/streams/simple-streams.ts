import { BadDescriptor, type Stream, WriteFailed } from './open-file.ts';

/** `/dev/null`. */
export const nullStream: Stream = {
	async read() {
		return new Uint8Array();
	},
	write() {},
	close() {}
};

/** The same, opened write-only. */
export const nullOutput: Stream = {
	...nullStream,
	async read() {
		throw new BadDescriptor();
	}
};

/** Bytes known in advance: here-documents, process substitution. */
export function bytesStream(bytes: Uint8Array): Stream {
	let position = 0;
	return {
		isKnown: true,
		async read(max) {
			const piece = bytes.subarray(position, position + max);
			position += piece.length;
			return piece;
		},
		write() {
			throw new BadDescriptor();
		},
		close() {}
	};
}

/** Collects what is written: `$(…)`. `limitBytes` protects the shell's memory. */
export function collector(limitBytes: number): { stream: Stream; pieces: Uint8Array[] } {
	const pieces: Uint8Array[] = [];
	let size = 0;
	return {
		pieces,
		stream: {
			async read() {
				throw new BadDescriptor();
			},
			write(bytes) {
				size += bytes.length;
				if (size > limitBytes) {
					throw new Error(`The output is over ${Math.round(limitBytes / 1_048_576)} MB. Write it to a file instead.`);
				}
				pieces.push(bytes.slice());
			},
			close() {}
		}
	};
}

/** `/dev/full`: zeros to read, no space to write. */
export const fullStream: Stream = {
	...endlessStream(() => {}),
	write(bytes) {
		if (bytes.length > 0) throw new WriteFailed('No space left on device');
	}
};

/** `/dev/zero`, `/dev/urandom`: as many bytes as requested. */
export function endlessStream(fill: (bytes: Uint8Array<ArrayBuffer>) => void): Stream {
	return {
		isInput: true,
		async read(max) {
			const bytes = new Uint8Array(Math.min(max, 65536));
			fill(bytes);
			return bytes;
		},
		write() {},
		close() {}
	};
}
