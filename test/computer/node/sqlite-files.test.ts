import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LockMode, OpenMode } from '#computer/abi/syscalls.ts';
import { FileDescription } from '#computer/kernel/streams/file-description.ts';
import { FileLocks } from '#computer/kernel/streams/file-locks.ts';
import { createSqlite } from '#computer/node/modules/sqlite/index.ts';
import type { Runtime } from '#computer/node/runtime/runtime.ts';
import { fileCalls } from '#computer/volume/file-calls.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import type { Volume } from '#computer/volume/volume.ts';

const MODULE = readFileSync(createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm'));
const FILE = '/workspace/a.db';

type Row = Record<string, unknown>;

interface Database {
	exec(sql: string): void;
	function(name: string, call: () => unknown): void;
	prepare(sql: string): { get(): Row | undefined; all(): Row[]; iterate(): Iterator<Row> };
	location(): string | null;
	createSession(): { changeset(): Uint8Array };
	open(): void;
	close(): void;
}

interface Started {
	DatabaseSync: new (path: string, options?: object) => Database;
	/** Ends the process at once: the kernel closes its descriptors, and nothing else happens. */
	kill(): void;
}

let volume: Volume;
let locks: FileLocks;
beforeEach(() => {
	volume = createVolume([]);
	locks = new FileLocks(volume);
});

/** A process with the module over the volume. @param calls replaces some of its calls */
function start(calls: object = {}): Started {
	const files = Object.entries(fileCalls({ volume })).map(([name, call]) => [
		name,
		(...args: unknown[]) => (call as (...args: unknown[]) => unknown)(null, ...args)
	]);
	const open: FileDescription[] = [];
	const sys = {
		...(Object.fromEntries(files) as object),
		asset: () => MODULE,
		openFile: (path: string, mode: OpenMode) => open.push(new FileDescription(volume, path, mode).retain()) - 1,
		lockRange: (descriptor: number, at: number, length: number, mode: LockMode) =>
			locks.set(open[descriptor]!, at, length, mode),
		close: (descriptor: number) => open[descriptor]?.release(),
		poll: () => [],
		...calls
	};
	const process = { pid: 2, umask: () => 0o022, emitWarning: () => {} };
	const runtime = { sys, process, resolvePath: (path: string) => path } as unknown as Runtime;
	const { DatabaseSync } = createSqlite(runtime) as unknown as Started;
	return { DatabaseSync, kill: () => open.forEach((file) => file.release()) };
}

const failure = (run: () => unknown): unknown => {
	try {
		return run();
	} catch (error) {
		const { message, code, errcode } = error as { message: string; code: string; errcode: number };
		return [message, code, errcode];
	}
};
const count = (database: Database) => database.prepare('select count(*) c from t').get()?.['c'];

describe('two processes', () => {
	it('see what the other has written', () => {
		const [one, two] = [new (start().DatabaseSync)(FILE), new (start().DatabaseSync)(FILE)];
		one.exec('create table t(a); insert into t values (1)');
		expect(count(two)).toBe(1);
		two.exec('insert into t values (2)');
		expect(count(one)).toBe(2);
	});

	it('write one after the other, and do not read half of a change', () => {
		const [one, two] = [new (start().DatabaseSync)(FILE), new (start().DatabaseSync)(FILE)];
		one.exec('create table t(a); begin immediate; insert into t values (1)');
		const locked = ['database is locked', 'ERR_SQLITE_ERROR', 5];
		expect(failure(() => two.exec('insert into t values (2)'))).toEqual(locked);
		expect(count(two)).toBe(0);
		const reading = two.prepare('select * from sqlite_master').iterate();
		reading.next();
		expect(failure(() => one.exec('commit'))).toEqual(locked);
		expect(failure(() => two.exec('select * from t; begin immediate'))).toEqual(locked);
		reading.return?.();
		one.exec('commit');
		expect(count(two)).toBe(1);
	});

	it('wait for each other as long as they say', () => {
		let waited = 0;
		const one = new (start().DatabaseSync)(FILE);
		const poll = (_: unknown, ms: number) => {
			waited += ms;
			if (waited > 20) one.exec('commit');
			return [];
		};
		one.exec('create table t(a); begin exclusive');
		const two = new (start({ poll }).DatabaseSync)(FILE, { timeout: 500 });
		two.exec('insert into t values (2)');
		expect(waited).toBeGreaterThan(20);
		expect(count(one)).toBe(1);
	});
});

it('two connections of one process exclude each other', () => {
	const { DatabaseSync } = start();
	const [one, two] = [new DatabaseSync(FILE), new DatabaseSync(FILE)];
	one.exec('create table t(a); begin exclusive');
	expect(failure(() => count(two))).toEqual(['database is locked', 'ERR_SQLITE_ERROR', 5]);
	one.close();
	expect(count(two)).toBe(0);
});

it('what a killed process has not committed is rolled back by the next', () => {
	const killed = start();
	const database = new killed.DatabaseSync(FILE);
	database.exec('create table t(a); insert into t values (1)');
	// So little memory for pages that changes reach the file before the commit.
	database.exec('pragma cache_size = 1; begin; update t set a = 2');
	database.exec(`insert into t select zeroblob(4000) from (with recursive n(i) as
		(select 1 union all select i + 1 from n where i < 50) select i from n)`);
	const size = volume.stat(FILE).size;
	expect(size).toBeGreaterThan(100_000);
	expect(volume.stat(`${FILE}-journal`).size).toBeGreaterThan(0);
	const next = start();
	killed.kill();
	const recovered = new next.DatabaseSync(FILE);
	expect(recovered.prepare('select a from t').all()).toEqual([{ a: 1 }]);
	expect(recovered.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
	expect(volume.stat(FILE).size).toBeLessThan(size);
	expect(() => volume.stat(`${FILE}-journal`)).toThrow('no such file');
});

it('a full disk refuses a change and keeps what was there', () => {
	const database = new (start().DatabaseSync)(FILE);
	database.exec('create table t(a); insert into t values (1)');
	volume.limit = volume.used + 50_000;
	const fill = () => database.exec('insert into t values (zeroblob(200000))');
	expect(failure(fill)).toEqual(['database or disk is full', 'ERR_SQLITE_ERROR', 13]);
	expect(count(database)).toBe(1);
	expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
});

it('a damaged file is refused', () => {
	volume.writeFile(FILE, new TextEncoder().encode('garbage'.repeat(1000)));
	const database = new (start().DatabaseSync)(FILE);
	const refused = ['file is not a database', 'ERR_SQLITE_ERROR', 26];
	expect(failure(() => database.exec('select * from sqlite_master'))).toEqual(refused);
});

it('a read-only file is read, not written', () => {
	new (start().DatabaseSync)(FILE).exec('create table t(a); insert into t values (1)');
	volume.chmod(FILE, 0o444);
	const database = new (start().DatabaseSync)(FILE);
	expect(count(database)).toBe(1);
	const refused = ['attempt to write a readonly database', 'ERR_SQLITE_ERROR', 8];
	expect(failure(() => database.exec('insert into t values (2)'))).toEqual(refused);
	volume.chmod(FILE, 0o644);
	const reader = new (start().DatabaseSync)(FILE, { readOnly: true });
	expect(failure(() => reader.exec('insert into t values (2)'))).toEqual(refused);
});

it('what cannot be a database is not opened', () => {
	const { DatabaseSync } = start();
	const refused = ['unable to open database file', 'ERR_SQLITE_ERROR', 14];
	expect(failure(() => new DatabaseSync('/workspace'))).toEqual(refused);
	expect(failure(() => new DatabaseSync('/nowhere/a.db'))).toEqual(refused);
	expect(failure(() => new DatabaseSync('/workspace/new.db', { readOnly: true }))).toEqual(refused);
	expect(failure(() => new DatabaseSync('file:///workspace/a.db?vfs=unix'))).toEqual([
		'no such vfs: unix',
		'ERR_SQLITE_ERROR',
		1
	]);
});

it('a link leads to the database and its journal', () => {
	const { DatabaseSync } = start();
	new DatabaseSync(FILE).exec('create table t(a)');
	volume.mkdir('/workspace/b');
	volume.symlink('../a.db', '/workspace/b/link.db');
	const database = new DatabaseSync('/workspace/b/link.db');
	expect(database.location()).toBe(FILE);
	database.exec('begin; insert into t values (1)');
	expect(volume.stat(`${FILE}-journal`).kind).toBe('file');
});

it('a function of SQL can use the database, but neither close it nor run its own statement again', () => {
	const database = new (start().DatabaseSync)(FILE);
	database.exec('create table t(a); insert into t values (1)');
	database.function('counted', () => count(database));
	expect(database.prepare('select counted() c').get()).toEqual({ c: 1 });
	database.function('closing', () => database.close());
	const closing = ['database is executing a statement', 'ERR_INVALID_STATE', undefined];
	expect(failure(() => database.exec('select closing()'))).toEqual(closing);
	database.function('again', (): unknown => again.get());
	const again = database.prepare('select again() a');
	const running = ['statement is being executed', 'ERR_INVALID_STATE', undefined];
	expect(failure(() => again.get())).toEqual(running);
	expect(count(database)).toBe(1);
	database.close();
});

it('a session ends with the connection, though the database is opened again', () => {
	const database = new (start().DatabaseSync)(FILE);
	const session = database.createSession();
	database.close();
	expect(failure(() => session.changeset())).toEqual(['database is not open', 'ERR_INVALID_STATE', undefined]);
	database.open();
	expect(failure(() => session.changeset())).toEqual(['session is not open', 'ERR_INVALID_STATE', undefined]);
});

it('pages are of the size of native SQLite', () => {
	new (start().DatabaseSync)(FILE).exec('create table t(a)');
	expect(volume.stat(FILE).size).toBe(8192);
	expect(new DataView(volume.readFile(FILE).slice().buffer).getUint16(16)).toBe(4096);
});

it('there is no write-ahead log, which needs shared memory', () => {
	const database = new (start().DatabaseSync)(FILE);
	expect(database.prepare('pragma journal_mode = wal').get()).toEqual({ journal_mode: 'delete' });
});
