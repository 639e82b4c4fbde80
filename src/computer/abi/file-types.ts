/** File types as encoded in a mode. */
export const TYPE_BITS = 0o170000;
export const FILE_TYPE = 0o100000;
export const CHARACTER_TYPE = 0o020000;
export const DIRECTORY_TYPE = 0o040000;
export const SYMLINK_TYPE = 0o120000;
export const FIFO_TYPE = 0o010000;
export const SOCKET_TYPE = 0o140000;
