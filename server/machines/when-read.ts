import type { PassThrough } from 'node:stream';

/** Ends outputs; resolves when their reader has all of them, or has let go of them. */
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
