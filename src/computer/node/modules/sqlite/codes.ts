/** Numbers of SQLite's C interface. */
export const SQLITE = {
	OK: 0,
	ERROR: 1,
	ABORT: 4,
	BUSY: 5,
	LOCKED: 6,
	NOMEM: 7,
	READONLY: 8,
	IOERR: 10,
	NOTFOUND: 12,
	FULL: 13,
	CANTOPEN: 14,
	ROW: 100,
	DONE: 101,
	IOERR_READ: 266,
	IOERR_SHORT_READ: 522,
	IOERR_WRITE: 778,
	IOERR_FSTAT: 1802,
	IOERR_TRUNCATE: 1546,
	IOERR_UNLOCK: 2058,
	IOERR_DELETE: 2570,
	IOERR_ACCESS: 3338,
	IOERR_CHECKRESERVEDLOCK: 3594,
	IOERR_LOCK: 3850,
	IOERR_DELETE_NOENT: 5898
} as const;

/** Flags of `sqlite3_open_v2` and of `xOpen`. */
export const OPEN = { READONLY: 1, READWRITE: 2, CREATE: 4, DELETEONCLOSE: 8, EXCLUSIVE: 0x10, URI: 0x40 } as const;

/** Types of values in results and arguments. */
export const TYPE = { INTEGER: 1, FLOAT: 2, TEXT: 3, BLOB: 4, NULL: 5 } as const;
