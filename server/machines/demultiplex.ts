import type { Duplex, PassThrough } from 'node:stream';

const HEADER_BYTES = 8;
const [STDOUT, STDERR] = [1, 2];

/**
 * Separates the two outputs of an exec that the Engine's API multiplexes: each frame has a byte for the output, three
 * zero bytes, four bytes with the length, then the data. Stops reading while an output is not consumed. Invalid frames
 * end the connection.
 */
export function demultiplex(connection: Duplex, outputs: { stdout: PassThrough; stderr: PassThrough }): void {
	const header = Buffer.alloc(HEADER_BYTES);
	let headerLength = 0;
	let output = outputs.stdout;
	let left = 0;
	const give = (bytes: Buffer): void => {
		if (output.writable && !output.write(bytes)) {
			connection.pause();
			output.once('drain', () => connection.resume());
		}
	};
	connection.on('data', (chunk: Buffer) => {
		for (let at = 0; at < chunk.length;) {
			if (left > 0) {
				const end = Math.min(chunk.length, at + left);
				give(chunk.subarray(at, end));
				left -= end - at;
				at = end;
				continue;
			}
			const copied = chunk.copy(header, headerLength, at);
			headerLength += copied;
			at += copied;
			if (headerLength < HEADER_BYTES) return;
			headerLength = 0;
			left = header.readUInt32BE(4);
			if (header[0] === STDOUT) output = outputs.stdout;
			else if (header[0] === STDERR) output = outputs.stderr;
			else return void connection.destroy(new Error('The engine sent what is no output.'));
		}
	});
}
