import { Buffer } from 'buffer';
import type { Readable, Writable } from 'node:stream';
import { isSyscallError, systemError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import streams from '../stream.ts';

/** What a child writes, as a stream. */
export function pipeReader(runtime: Runtime, descriptor: number): Readable {
	return new streams.Readable({
		read() {
			const fill = async () => {
				const bytes = await runtime.loop.holdWhile(runtime.async.read(descriptor, 65_536));
				runtime.loop.enter(() => {
					if (bytes.length === 0) runtime.sys.close(descriptor);
					this.push(bytes.length > 0 ? Buffer.from(bytes) : null);
				});
			};
			fill().catch((error: unknown) => runtime.loop.enter(() => this.destroy(error as Error)));
		}
	});
}

/** What a child reads, as a stream. */
export function pipeWriter(runtime: Runtime, descriptor: number): Writable {
	return new streams.Writable({
		write(chunk: Uint8Array, _encoding, done) {
			runtime.loop.holdWhile(runtime.async.write(descriptor, chunk)).then(
				() => runtime.loop.enter(() => done()),
				(error: unknown) =>
					runtime.loop.enter(() => done(isSyscallError(error) ? systemError(error.code, 'write') : (error as Error)))
			);
		},
		final(done) {
			runtime.sys.close(descriptor);
			done();
		}
	});
}
