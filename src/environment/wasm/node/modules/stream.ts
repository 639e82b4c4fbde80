import processShim from 'process/';
import streams from 'readable-stream';
import './events.ts';
import type { EventLoop } from '../runtime/event-loop.ts';

/** Streams tick on the program's own loop, so that they keep their order among its ticks. */
export function useLoop(loop: EventLoop): void {
	processShim.nextTick = (callback, ...args) => loop.nextTick(callback, args);
}

/** @public Programs import them by name. */
export const { Readable, Writable, Duplex, Transform, PassThrough } = streams;

const setDefault = (): undefined => undefined;
Object.assign(streams, {
	getDefaultHighWaterMark: (objectMode: boolean) => (objectMode ? 16 : 65_536),
	setDefaultHighWaterMark: setDefault
});

export default streams;
