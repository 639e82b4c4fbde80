import { types } from '../util/types.ts';
import { TYPE } from './codes.ts';
import { tooLargeToBind, tooLargeToRead, unbindable } from './errors.ts';
import type { SqliteLibrary } from './library.ts';
import { utf8 } from './memory.ts';

/** Value as programs get it from SQLite. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** `SQLITE_TRANSIENT`: the library copies the bytes during the call. */
const TRANSIENT = -1;

const isInt64 = (value: bigint): boolean => BigInt.asIntN(64, value) === value;
const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
	new Uint8Array(buffer, byteOffset, byteLength);

/** Calls with a copy of bytes. A null pointer would be NULL, so empty ones have an address as well. */
function placed(
	library: SqliteLibrary,
	bytes: Uint8Array,
	call: (at: number, length: number) => number | void
): number {
	const at = library.place(bytes);
	try {
		return call(at, bytes.length) ?? 0;
	} finally {
		library.calls.sqlite3_free(at);
	}
}

/**
 * Binds a value to a parameter.
 * @returns SQLite's code
 * @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE
 */
export function bindValue(library: SqliteLibrary, statement: number, index: number, value: unknown): number {
	const { calls } = library;
	if (typeof value === 'number') return calls.sqlite3_bind_double(statement, index, value);
	if (value === null) return calls.sqlite3_bind_null(statement, index);
	if (typeof value === 'string') {
		return placed(library, utf8(value), (at, length) =>
			calls.sqlite3_bind_text(statement, index, at, length, TRANSIENT)
		);
	}
	if (typeof value === 'bigint') {
		if (!isInt64(value)) throw tooLargeToBind();
		return calls.sqlite3_bind_int64(statement, index, value);
	}
	if (!ArrayBuffer.isView(value)) throw unbindable(index);
	return placed(library, bytesOf(value), (at, length) =>
		calls.sqlite3_bind_blob(statement, index, at, length, TRANSIENT)
	);
}

/** Integer as a program wants it. @throws ERR_OUT_OF_RANGE */
function integer(value: bigint, asBigInt: boolean): number | bigint {
	if (asBigInt) return value;
	const number = Number(value);
	if (!Number.isSafeInteger(number)) throw tooLargeToRead(value);
	return number;
}

/** Reads a column of the current row. @throws ERR_OUT_OF_RANGE */
export function columnValue(
	{ calls, memory }: SqliteLibrary,
	statement: number,
	column: number,
	asBigInt: boolean
): SqlValue {
	switch (calls.sqlite3_column_type(statement, column)) {
		case TYPE.INTEGER:
			return integer(calls.sqlite3_column_int64(statement, column), asBigInt);
		case TYPE.FLOAT:
			return calls.sqlite3_column_double(statement, column);
		case TYPE.TEXT:
			return memory.text(calls.sqlite3_column_text(statement, column));
		case TYPE.BLOB: {
			const at = calls.sqlite3_column_blob(statement, column);
			return memory.copy(at, calls.sqlite3_column_bytes(statement, column));
		}
		default:
			return null;
	}
}

/** Reads an argument of a function. @throws ERR_OUT_OF_RANGE */
export function argumentValue({ calls, memory }: SqliteLibrary, value: number, asBigInt: boolean): SqlValue {
	switch (calls.sqlite3_value_type(value)) {
		case TYPE.INTEGER:
			return integer(calls.sqlite3_value_int64(value), asBigInt);
		case TYPE.FLOAT:
			return calls.sqlite3_value_double(value);
		case TYPE.TEXT:
			return memory.text(calls.sqlite3_value_text(value));
		case TYPE.BLOB: {
			const at = calls.sqlite3_value_blob(value);
			return memory.copy(at, calls.sqlite3_value_bytes(value));
		}
		default:
			return null;
	}
}

/** Returns a function's result to SQLite, or an error if it is not of a type that SQLite has. */
export function setResult(library: SqliteLibrary, context: number, value: unknown): void {
	const { calls } = library;
	if (value === undefined || value === null) calls.sqlite3_result_null(context);
	else if (typeof value === 'number') calls.sqlite3_result_double(context, value);
	else if (typeof value === 'string') {
		placed(library, utf8(value), (at, length) => calls.sqlite3_result_text(context, at, length, TRANSIENT));
	} else if (ArrayBuffer.isView(value)) {
		placed(library, bytesOf(value), (at, length) => calls.sqlite3_result_blob(context, at, length, TRANSIENT));
	} else if (typeof value === 'bigint') {
		if (isInt64(value)) calls.sqlite3_result_int64(context, value);
		else setError(library, context, 'BigInt value is too large for SQLite');
	} else if (types.isPromise(value)) {
		setError(library, context, 'Asynchronous user-defined functions are not supported');
	} else setError(library, context, 'Returned JavaScript value cannot be converted to a SQLite value');
}

/** Makes a function fail. */
export function setError(library: SqliteLibrary, context: number, message: string): void {
	placed(library, utf8(message), (at, length) => library.calls.sqlite3_result_error(context, at, length));
}
