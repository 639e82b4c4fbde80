/** Types for packages that bring none. */
declare module 'readable-stream' {
	import stream from 'node:stream';
	export default stream;
}
declare module 'process/' {
	const shim: { nextTick(callback: (...args: unknown[]) => unknown, ...args: unknown[]): void };
	export default shim;
}
declare module 'string_decoder/' {
	export { StringDecoder } from 'node:string_decoder';
}
