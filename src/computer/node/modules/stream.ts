import { Buffer } from 'buffer';
import processShim from 'process/';
import streams from 'readable-stream';
import './events.ts';
import { defineWebStreams } from './web-streams.ts';
import type { EventLoop } from '../runtime/event-loop.ts';
import type { NodeProcess } from '../runtime/process.ts';

/**
 * Makes streams use ticks of the program's own loop, so that they are ordered among its ticks, and recognize its
 * standard streams, which `pipe` never ends.
 */
export function useProcess(loop: EventLoop, process: NodeProcess): void {
	processShim.nextTick = (callback, ...args) => loop.nextTick(callback, args);
	Object.defineProperties(processShim, {
		stdout: { get: () => process.stdout, configurable: true },
		stderr: { get: () => process.stderr, configurable: true }
	});
}

/** @public Exports used by programs. */
export const { Readable, Writable, Duplex, Transform, PassThrough } = streams;

// In the minified bundle, which is sloppy, a block-level function of this package gets the name assigned to its
// `Buffer`, and the package's own version of this calls that function instead.
Object.assign(streams.Stream, {
	_uint8ArrayToBuffer: ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>) =>
		Buffer.from(buffer, byteOffset, byteLength)
});

const setDefault = (): undefined => undefined;
Object.assign(streams, {
	getDefaultHighWaterMark: (objectMode: boolean) => (objectMode ? 16 : 65_536),
	setDefaultHighWaterMark: setDefault
});

defineWebStreams();

export default streams;
