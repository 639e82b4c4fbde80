import type { Readable, Writable } from 'node:stream';
import { DescriptorReader } from './descriptor-reader.ts';
import { descriptorWriter } from './descriptor-writer.ts';
import type { Runtime } from './runtime.ts';
import streams from '../modules/stream.ts';
import { terminalStreams } from '../modules/tty.ts';

/** `process.stdout` and `process.stderr`: each write has reached the kernel before it returns. */
export function outputStream(runtime: Runtime, descriptor: 1 | 2): Writable {
	if (runtime.sys.isTerminal(descriptor)) {
		const { WriteStream } = terminalStreams(runtime);
		const stream = Object.assign(new WriteStream(descriptor), { _type: 'tty', _isStdio: true });
		runtime.process.on('SIGWINCH', () => stream._refreshSize());
		return stream;
	}
	const stream = new streams.Writable({
		decodeStrings: true,
		emitClose: false,
		write: descriptorWriter(runtime, descriptor),
		destroy(error, done) {
			done(error);
		}
	});
	return Object.assign(stream, { fd: descriptor, _type: 'pipe', _isStdio: true });
}

/** `process.stdin`: only reads on request, and keeps the program alive while it waits. */
export function inputStream(runtime: Runtime): Readable {
	if (runtime.sys.isTerminal(0)) {
		const { ReadStream } = terminalStreams(runtime);
		return new ReadStream(0);
	}
	const reader = new DescriptorReader(runtime, 0);
	const stream = new streams.Readable(reader.options);
	reader.serve(stream);
	return stream;
}
