/** Lets Node's process exit while this timer, pipe or worker is active. Does nothing elsewhere. */
export function letHostEnd(handle: unknown): void {
	if (typeof handle === 'object' && handle !== null && 'unref' in handle && typeof handle.unref === 'function')
		handle.unref();
}
