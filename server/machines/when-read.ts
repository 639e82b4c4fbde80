import type { PassThrough } from 'node:stream';

/** Ends outputs; resolves when all data has been read, or the reader has closed them. */
export async function whenRead(outputs: readonly PassThrough[]): Promise<void> {
	await Promise.all(
		outputs.map((output) => {
			const isRead =
				output.readableEnded || new Promise((resolve) => output.once('end', resolve).once('close', resolve));
			output.end();
			return isRead;
		})
	);
}
