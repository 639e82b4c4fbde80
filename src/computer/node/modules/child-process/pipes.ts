import { Buffer } from 'buffer';
import type { Readable, Writable } from 'node:stream';
import { isSyscallError, systemError } from '../../runtime/errors.ts';
import { Reference } from '../../runtime/reference.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import streams from '../stream.ts';

const descriptors = new WeakMap<object, number>();

/** The kernel's descriptor of this end of a pipe, for another child that reads or writes it; null for other streams. */
export const descriptorOfPipe = (stream: object): number | null => descriptors.get(stream) ?? null;

/** Readable stream for a child's output. */
export function pipeReader(runtime: Runtime, descriptor: number): Readable {
	const { loop } = runtime;
	const reference = new Reference(loop, 'PipeWrap');
	const close = closing(runtime, descriptor);
	const stream = new streams.Readable({
		read() {
			const fill = async () => {
				reference.begin();
				const bytes = await runtime.async.read(descriptor, 65_536);
				loop.enter(() => {
					// Before `push`, which may request the next read immediately.
					reference.end();
					if (this.destroyed) return;
					if (bytes.length === 0) close();
					this.push(bytes.length > 0 ? Buffer.from(bytes) : null);
				});
			};
			fill().catch((error: unknown) => {
				reference.end();
				loop.enter(() => this.destroy(error as Error));
			});
		},
		/** The child's next write fails with `EPIPE`. */
		destroy(error, done) {
			reference.end();
			close();
			done(error);
		}
	});
	descriptors.set(stream, descriptor);
	return withReference(stream, reference);
}

/** Writable stream for a child's input. */
export function pipeWriter(runtime: Runtime, descriptor: number): Writable {
	const { loop } = runtime;
	const reference = new Reference(loop, 'PipeWrap');
	const close = closing(runtime, descriptor);
	const stream = new streams.Writable({
		write(chunk: Uint8Array, _encoding, done) {
			reference.begin();
			const ended = (error?: Error) =>
				loop.enter(() => {
					reference.end();
					done(error);
				});
			runtime.async.write(descriptor, chunk).then(
				() => ended(),
				(error: unknown) => ended(isSyscallError(error) ? systemError(error.code, 'write') : (error as Error))
			);
		},
		final(done) {
			close();
			done();
		},
		destroy(error, done) {
			close();
			done(error);
		}
	});
	descriptors.set(stream, descriptor);
	return withReference(stream, reference);
}

/** @returns function that closes the descriptor, once */
function closing(runtime: Runtime, descriptor: number): () => void {
	let isOpen = true;
	return () => {
		if (isOpen) runtime.sys.close(descriptor);
		isOpen = false;
	};
}

/** Adds `ref` and `unref`, as on Node's pipes. */
function withReference<Stream extends object>(stream: Stream, reference: Reference): Stream {
	return Object.assign(stream, {
		ref: () => (reference.ref(), stream),
		unref: () => (reference.unref(), stream)
	});
}
