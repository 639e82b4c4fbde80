/** Limits of one sandbox. Sizes are bytes. */

const LEAST_VOLUME_BYTES = 512 * 1024 * 1024;
const MOST_VOLUME_BYTES = 2 * 1024 * 1024 * 1024;
/** Memory of a device whose browser does not tell it, as Firefox and WebKit. */
const USUAL_DEVICE_GIGABYTES = 4;

/**
 * Returns the size of all files, which are in memory: a quarter of the device's.
 *
 * @param deviceGigabytes `navigator.deviceMemory`, which browsers round and cap
 */
export function volumeBytes(deviceGigabytes = USUAL_DEVICE_GIGABYTES): number {
	const quarter = (deviceGigabytes / 4) * 1024 ** 3;
	return Math.min(MOST_VOLUME_BYTES, Math.max(LEAST_VOLUME_BYTES, quarter));
}

export const FILE_BYTES = 64 * 1024 * 1024;
export const PROCESSES = 256;
/** Number of processors that programs see. */
export const PROCESSORS = 4;
export const PIPE_BYTES = 64 * 1024;
/** Output of one process that the page has not consumed yet, before the writer waits. */
export const UNREAD_OUTPUT_BYTES = 1024 * 1024;
/** Shared memory through which a process gets its replies. Longer replies are sent in pieces. */
export const REPLY_BYTES = 1024 * 1024;
/** Memory in which the programs of a session share prepared modules: initial and maximum size. */
export const PREPARED_BYTES = { first: 4096, most: 64 * 1024 * 1024 };
/** Limit for each stream of one command in its result, in characters; the middle of longer output is dropped. */
export const KEPT_OUTPUT = 32 * 1024 * 1024;
