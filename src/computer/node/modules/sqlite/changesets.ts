import { SQLITE } from './codes.ts';
import { type Connection, Part } from './connection.ts';
import { illegalConstructor, invalidState, sqliteCodeError } from './errors.ts';
import type { SqliteLibrary } from './library.ts';

/** `node:sqlite`'s constants: answers to conflicts, and their kinds. */
export const CHANGESET = {
	SQLITE_CHANGESET_OMIT: 0,
	SQLITE_CHANGESET_REPLACE: 1,
	SQLITE_CHANGESET_ABORT: 2,
	SQLITE_CHANGESET_DATA: 1,
	SQLITE_CHANGESET_NOTFOUND: 2,
	SQLITE_CHANGESET_CONFLICT: 3,
	SQLITE_CHANGESET_CONSTRAINT: 4,
	SQLITE_CHANGESET_FOREIGN_KEY: 5
} as const;

/** No answer to a conflict: SQLite reports a misuse. */
const NO_ANSWER = -1;

type Call = (...args: unknown[]) => unknown;

/** Functions of the program that decide while changes are applied. */
export interface ChangeRules {
	/** Selects tables by name. */
	filter: Call | undefined;
	onConflict: Call | undefined;
}

const key = Symbol('session');
const lost = new FinalizationRegistry<Part>((session) => session.end());

/**
 * Starts to record the changes of a database.
 *
 * @param requireOpen throws if the object that the session comes from is closed; it may have been opened again since
 * @throws ERR_SQLITE_ERROR
 */
export function startSession(
	connection: Connection,
	database: string,
	table: string | undefined,
	requireOpen: () => void
): Session {
	const { library, pointer } = connection;
	const { calls, scratch, memory } = library;
	connection.check(library.withText(database, (at) => calls.sqlite3session_create(pointer, at, scratch)));
	const created = memory.int32(scratch);
	const part = new Part(connection, created, () => void calls.sqlite3session_delete(created));
	const code =
		table === undefined
			? calls.sqlite3session_attach(created, 0)
			: library.withText(table, (at) => calls.sqlite3session_attach(created, at));
	if (code !== SQLITE.OK) part.end();
	connection.check(code);
	const session = new Session(key, part, requireOpen);
	lost.register(session, part);
	return session;
}

/** Records the changes of a database. */
class Session {
	readonly #part: Part;
	readonly #requireDatabase: () => void;

	/** @throws ERR_ILLEGAL_CONSTRUCTOR for programs, which get it from `createSession` */
	constructor(given?: unknown, part?: Part, requireDatabase?: () => void) {
		if (given !== key || !part || !requireDatabase) throw illegalConstructor();
		this.#part = part;
		this.#requireDatabase = requireDatabase;
	}

	changeset(): Uint8Array {
		return this.#changes('changeset');
	}

	patchset(): Uint8Array {
		return this.#changes('patchset');
	}

	close(): void {
		this.#requireOpen();
		this.#part.end();
	}

	#requireOpen(): void {
		this.#requireDatabase();
		if (this.#part.isEnded) throw invalidState('session is not open');
	}

	#changes(kind: 'changeset' | 'patchset'): Uint8Array {
		this.#requireOpen();
		const { connection, pointer } = this.#part;
		const { calls, memory, scratch } = connection.library;
		connection.check(calls[`sqlite3session_${kind}`](pointer, scratch, scratch + 4));
		const at = memory.int32(scratch + 4);
		const changes = memory.copy(at, memory.int32(scratch));
		calls.sqlite3_free(at);
		return changes;
	}
}

/** Applies recorded changes. */
export class Changesets {
	readonly #filter: number;
	readonly #conflict: number;
	/** Rules of the calls that are running, the innermost last. */
	readonly #rules: ChangeRules[] = [];

	constructor(private readonly library: SqliteLibrary) {
		this.#filter = library.address('iii', (_: number, table: number) => this.#selects(table));
		this.#conflict = library.address('iiii', (_: number, kind: number) => this.#answer(kind));
	}

	/** @returns false if a conflict has ended it. @throws ERR_SQLITE_ERROR, exceptions of the rules */
	apply(connection: Connection, changes: Uint8Array, rules: ChangeRules): boolean {
		const { library } = this;
		const at = library.place(changes);
		this.#rules.push(rules);
		try {
			const filter = rules.filter ? this.#filter : 0;
			const args = [connection.pointer, changes.length, at, filter, this.#conflict, 0];
			const code = connection.running(() => library.calls.sqlite3changeset_apply(...args));
			library.rethrow();
			if (code !== SQLITE.OK && code !== SQLITE.ABORT) throw sqliteCodeError(library, code);
			return code === SQLITE.OK;
		} finally {
			this.#rules.pop();
			library.calls.sqlite3_free(at);
		}
	}

	#selects(table: number): number {
		const filter = this.#rules.at(-1)?.filter;
		const name = this.library.memory.text(table);
		return this.library.callBack(
			() => Number(Boolean(filter?.(name))),
			() => 0
		);
	}

	#answer(kind: number): number {
		const onConflict = this.#rules.at(-1)?.onConflict;
		if (!onConflict) return CHANGESET.SQLITE_CHANGESET_ABORT;
		return this.library.callBack(
			() => {
				const answer = onConflict(kind);
				return typeof answer === 'number' && Number.isInteger(answer) ? answer : NO_ANSWER;
			},
			() => CHANGESET.SQLITE_CHANGESET_ABORT
		);
	}
}
