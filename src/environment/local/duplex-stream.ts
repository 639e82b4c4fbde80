import type { Duplex } from 'node:stream';
import { EnvironmentError } from '../errors.ts';
import type { ByteStream } from '../remote/servers.ts';

/** Reads from and writes to a Node stream, pausing it while there is no reader. */
export function duplexStream(duplex: Duplex): ByteStream {
	let hasEnded = false;
	const end = (): void => void (hasEnded = true);
	for (const event of ['end', 'close', 'error']) duplex.once(event, end);
	// A broken stream has ended; a pending write gets the error from its callback.
	duplex.on('error', () => undefined);
	return {
		read: async () => {
			for (;;) {
				const bytes: unknown = duplex.read();
				if (bytes instanceof Uint8Array) return bytes;
				if (duplex.errored instanceof EnvironmentError) throw duplex.errored;
				if (hasEnded || duplex.destroyed) return new Uint8Array();
				await new Promise<void>((resolve) => {
					const events = ['readable', 'end', 'close', 'error'];
					const go = (): void => {
						for (const event of events) duplex.off(event, go);
						resolve();
					};
					for (const event of events) duplex.on(event, go);
				});
			}
		},
		write: (bytes) =>
			new Promise((resolve, reject) =>
				duplex.write(bytes, (error) =>
					error ? reject(new EnvironmentError('EPIPE', 'The connection is closed.')) : resolve()
				)
			),
		close: () => void duplex.destroy()
	};
}
