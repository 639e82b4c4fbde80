/** Limits of one sandbox. Sizes are bytes. */
export const VOLUME_BYTES = 512 * 1024 * 1024;
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
