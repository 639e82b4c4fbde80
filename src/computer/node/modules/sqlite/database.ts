import { DISPOSE } from '../../runtime/dispose.ts';
import { OPEN } from './codes.ts';
import { type ChangeRules, Changesets, startSession } from './changesets.ts';
import { Connection } from './connection.ts';
import {
	booleanOption,
	extensionRefused,
	functionOption,
	integerOption,
	invalidState,
	requireBoolean,
	requireFunction,
	requireObject,
	requireString,
	stringOption,
	wrongType
} from './errors.ts';
import { type AggregateFunction, SqlFunctions } from './functions.ts';
import type { SqliteLibrary } from './library.ts';
import { databaseName } from './location.ts';
import { prepare, type StatementOptions, type StatementSync } from './statement.ts';

/** The library, and what programs add to it. */
export interface Engine {
	library: SqliteLibrary;
	functions: SqlFunctions;
	changesets: Changesets;
}

/** Switches of `sqlite3_db_config`. */
const SWITCH = { foreignKeys: 1002, quotedStringsInStatements: 1013, quotedStringsInSchemas: 1014 };

/** Size of the pages of new databases: that of native SQLite, not that of its WebAssembly build. */
const NATIVE_PAGES = 'pragma page_size = 4096';

interface Settings extends StatementOptions {
	name: string;
	isReadOnly: boolean;
	checksForeignKeys: boolean;
	takesQuotedStrings: boolean;
	timeoutMs: number;
	allowsExtensions: boolean;
}

function settingsOf(path: unknown, options: unknown): Settings & { isOpen: boolean } {
	const name = databaseName(path);
	if (options !== undefined) requireObject(options, 'options');
	const given = options ?? {};
	return {
		name,
		isOpen: booleanOption(given, 'open', true),
		isReadOnly: booleanOption(given, 'readOnly'),
		checksForeignKeys: booleanOption(given, 'enableForeignKeyConstraints', true),
		takesQuotedStrings: booleanOption(given, 'enableDoubleQuotedStringLiterals'),
		allowsExtensions: booleanOption(given, 'allowExtension'),
		timeoutMs: integerOption(given, 'timeout', 0),
		readsBigInts: booleanOption(given, 'readBigInts'),
		returnsArrays: booleanOption(given, 'returnArrays'),
		allowsBareNames: booleanOption(given, 'allowBareNamedParameters', true),
		allowsUnknownNames: booleanOption(given, 'allowUnknownNamedParameters')
	};
}

/** Connections of the databases that programs hold, for `backup`. */
const connections = new WeakMap<object, () => Connection>();

/** Returns the connection of a `DatabaseSync`, `null` for another object. @throws ERR_INVALID_STATE */
export const connectionOf = (database: object): Connection | null => connections.get(database)?.() ?? null;

/** Creates `DatabaseSync`, whose engine is loaded when the first database is opened. */
export function databaseClass(load: () => Engine) {
	/** Connection to a database. */
	return class DatabaseSync {
		readonly #settings: Settings;
		#connection: Connection | null = null;
		#loadsExtensions: boolean;

		/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_URL_SCHEME, ERR_SQLITE_ERROR */
		constructor(path?: unknown, options?: unknown) {
			const { isOpen, ...settings } = settingsOf(path, options);
			this.#settings = settings;
			this.#loadsExtensions = settings.allowsExtensions;
			connections.set(this, () => this.#open());
			const isTransaction = (): boolean => {
				const { library, pointer } = this.#open();
				return library.calls.sqlite3_get_autocommit(pointer) === 0;
			};
			Object.defineProperties(this, {
				isOpen: { get: () => this.#connection !== null, enumerable: true },
				isTransaction: { get: isTransaction, enumerable: true },
				[Symbol.for('sqlite-type')]: { value: 'node:sqlite', enumerable: true }
			});
			if (isOpen) this.open();
		}

		/** @throws ERR_INVALID_STATE, ERR_SQLITE_ERROR */
		open(): void {
			if (this.#connection) throw invalidState('database is already open');
			const { name, isReadOnly, checksForeignKeys, takesQuotedStrings, timeoutMs } = this.#settings;
			const flags = isReadOnly ? OPEN.READONLY : OPEN.READWRITE | OPEN.CREATE;
			const connection = Connection.open(load().library, name, flags);
			connection.execute(NATIVE_PAGES);
			connection.configure(SWITCH.quotedStringsInStatements, takesQuotedStrings);
			connection.configure(SWITCH.quotedStringsInSchemas, takesQuotedStrings);
			connection.configure(SWITCH.foreignKeys, checksForeignKeys);
			connection.library.calls.sqlite3_busy_timeout(connection.pointer, timeoutMs);
			this.#connection = connection;
		}

		close(): void {
			this.#open().close();
			this.#connection = null;
		}

		prepare(sql?: unknown): StatementSync {
			const connection = this.#open();
			requireString(sql, 'sql');
			return prepare(connection, sql, this.#settings);
		}

		exec(sql?: unknown): void {
			const connection = this.#open();
			requireString(sql, 'sql');
			connection.execute(sql);
		}

		function(name?: unknown, ...rest: unknown[]): void {
			const connection = this.#open();
			requireString(name, 'name');
			const [options, call] = rest.length < 2 ? [{}, rest[0]] : rest;
			if (rest.length >= 2) requireObject(options, 'options');
			const given = options as Record<string, unknown>;
			const asBigInts = booleanOption(given, 'useBigIntArguments');
			const isVariable = booleanOption(given, 'varargs');
			const isDeterministic = booleanOption(given, 'deterministic');
			const isDirectOnly = booleanOption(given, 'directOnly');
			requireFunction(call, 'function');
			const arity = isVariable ? -1 : call.length;
			load().functions.addScalar(connection, name, { arity, call, asBigInts, isDeterministic, isDirectOnly });
		}

		aggregate(name?: unknown, options?: unknown): void {
			const connection = this.#open();
			const given = options as Record<string, unknown>;
			// As in Node, options that are missing are noticed here.
			const start = given.start;
			requireString(name, 'name');
			requireObject(options, 'options');
			const { step, result } = given;
			if (start === undefined || start === null) {
				throw wrongType('options.start', 'a function or a primitive value');
			}
			requireFunction(step, 'options.step');
			const asBigInts = booleanOption(given, 'useBigIntArguments');
			const isVariable = booleanOption(given, 'varargs');
			const isDirectOnly = booleanOption(given, 'directOnly');
			const inverse = functionOption(given, 'inverse');
			// The state comes first.
			const arity = isVariable ? -1 : Math.max(step.length, inverse?.length ?? 0, 1) - 1;
			const added = { start, step, inverse, arity, asBigInts, isDirectOnly };
			load().functions.addAggregate(connection, name, {
				...added,
				result: typeof result === 'function' ? (result as AggregateFunction['result']) : undefined
			});
		}

		/** Path of the file of a database; `null` if it is in memory or does not exist. */
		location(dbName?: unknown): string | null {
			const { library, pointer } = this.#open();
			if (dbName !== undefined) requireString(dbName, 'dbName');
			const found = library.withText(dbName ?? 'main', (at) => library.calls.sqlite3_db_filename(pointer, at));
			return library.memory.text(found) || null;
		}

		createSession(options?: unknown) {
			const connection = this.#open();
			if (options !== undefined) requireObject(options, 'options');
			const table = stringOption(options ?? {}, 'table', undefined);
			const database = stringOption(options ?? {}, 'db', 'main');
			return startSession(connection, database, table, () => void this.#open());
		}

		applyChangeset(changeset?: unknown, options?: unknown): boolean {
			const connection = this.#open();
			if (!(changeset instanceof Uint8Array)) throw wrongType('changeset', 'a Uint8Array');
			if (options !== undefined) requireObject(options, 'options');
			const rules: ChangeRules = {
				onConflict: functionOption(options ?? {}, 'onConflict'),
				filter: functionOption(options ?? {}, 'filter')
			};
			return load().changesets.apply(connection, changeset, rules);
		}

		enableLoadExtension(allow?: unknown): void {
			requireBoolean(allow, 'allow');
			if (allow && !this.#settings.allowsExtensions) {
				throw invalidState('Cannot enable extension loading because it was disabled at database creation.');
			}
			this.#loadsExtensions = allow;
		}

		/** @throws ERR_LOAD_SQLITE_EXTENSION always, when it is allowed at all */
		loadExtension(path?: unknown): void {
			this.#open();
			if (!this.#loadsExtensions) throw invalidState('extension loading is not allowed');
			requireString(path, 'path');
			throw extensionRefused(path);
		}

		/** Closes it, unless it is closed. */
		[DISPOSE as typeof Symbol.dispose](): void {
			if (this.#connection) this.close();
		}

		/** @throws ERR_INVALID_STATE */
		#open(): Connection {
			if (!this.#connection) throw invalidState('database is not open');
			return this.#connection;
		}
	};
}
