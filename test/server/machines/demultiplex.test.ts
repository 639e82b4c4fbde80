import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import fc from '../../fast-check.ts';
import { inTime } from '../../in-time.ts';
import { demultiplex } from '#server/machines/demultiplex.ts';

const frame = (output: number, text: string): Buffer => {
	const header = Buffer.alloc(8);
	header[0] = output;
	header.writeUInt32BE(Buffer.byteLength(text), 4);
	return Buffer.concat([header, Buffer.from(text)]);
};

function opened() {
	const connection = new PassThrough();
	const outputs = { stdout: new PassThrough(), stderr: new PassThrough() };
	demultiplex(connection, outputs);
	return { connection, ...outputs };
}

it('takes outputs apart wherever the pieces are cut', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.tuple(fc.constantFrom(1, 2), fc.string())),
			fc.array(fc.integer({ min: 1, max: 40 })),
			async (frames, cuts) => {
				const { connection, stdout, stderr } = opened();
				let bytes = Buffer.concat(frames.map(([output, text]) => frame(output, text)));
				for (let index = 0; bytes.length > 0; index++) {
					const size = cuts[index % Math.max(1, cuts.length)] ?? bytes.length;
					connection.write(bytes.subarray(0, size));
					bytes = bytes.subarray(size);
				}
				connection.end();
				await inTime(finished(connection), 'the end of the connection');
				stdout.end();
				stderr.end();
				const texts = await Promise.all([stdout, stderr].map(async (output) => (await output.toArray()).join('')));
				const wanted = [1, 2].map((wantedOutput) =>
					frames.flatMap(([output, text]) => (output === wantedOutput ? [text] : [])).join('')
				);
				expect(texts).toEqual(wanted);
			}
		)
	);
});

it('reads no more while an output is not taken', async () => {
	const { connection, stdout } = opened();
	const big = frame(1, 'x'.repeat(64 * 1024));
	let written = 0;
	while (written < 1_000 && connection.write(big)) {
		written++;
		await new Promise((resolve) => setImmediate(resolve));
	}
	expect(written).toBeLessThan(10);
	expect(stdout.readableLength).toBeLessThan(1_000_000);
	const drained = new Promise((resolve) => connection.once('drain', resolve));
	stdout.resume();
	await inTime(drained, 'more of the connection, which is read again');
});

it('ends a connection that sends something else', async () => {
	const { connection } = opened();
	const failed = new Promise<Error>((resolve) => connection.once('error', resolve));
	connection.write('HTTP/1.1 500 Internal Server Error\r\n\r\n');
	expect((await inTime(failed, 'an error of the connection')).message).toBe('The engine sent what is no output.');
});

it('drops what comes for an output that was let go of, and goes on with the other', async () => {
	const { connection, stdout, stderr } = opened();
	stdout.destroy();
	connection.write(Buffer.concat([frame(1, 'x'.repeat(64 * 1024)), frame(2, 'text')]));
	connection.end();
	await inTime(finished(connection), 'the end of the connection');
	stderr.end();
	expect((await stderr.toArray()).join('')).toBe('text');
});
