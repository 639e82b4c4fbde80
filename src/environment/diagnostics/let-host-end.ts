/** In Node a timer, a pipe or a worker keeps the host's process; these are nothing to stay for. Elsewhere there is nothing to do. */
export function letHostEnd(handle: unknown): void {
	if (typeof handle === 'object' && handle !== null && 'unref' in handle && typeof handle.unref === 'function')
		handle.unref();
}
