import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

const fixture = (name: string) =>
	readFileSync(fileURLToPath(new URL(`./fixtures/sqlite/${name}`, import.meta.url)), 'utf8');

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
});

it('node:sqlite answers each call as Node 22.23.5 did', () => {
	pair.write({ 'calls.cjs': fixture('calls.js.txt') });
	const { stdout, stderr, code } = pair.ours(['calls.cjs']);
	expect(stderr).toBe('');
	expect(stdout).toBe(fixture('calls.output.txt'));
	expect(code).toBe(0);
});

it('node:sqlite warns once that it is experimental, and exists only with its prefix', () => {
	pair.write({
		'a.mjs': `import { DatabaseSync } from 'node:sqlite';
			console.log(new DatabaseSync(':memory:').prepare("select sqlite_version() v").get().v === process.versions.sqlite);
			await import('sqlite').catch((error) => console.log(error.code));`
	});
	const { stdout, stderr } = pair.ours(['a.mjs'], '', { NODE_NO_WARNINGS: '' });
	expect(stdout).toBe('true\nERR_MODULE_NOT_FOUND\n');
	expect(stderr.replace(/\d+/, 'N')).toBe(
		'(node:N) ExperimentalWarning: SQLite is an experimental feature and might change at any time\n(Use `node --trace-warnings ...` to show where the warning was created)\n'
	);
});

it('an exception within a statement leaves the database usable, and an uncaught one ends the program as in Node', () => {
	pair.write({
		'b.cjs': `const { DatabaseSync } = require('node:sqlite');
			const db = new DatabaseSync('b.db');
			db.function('fails', () => { throw new TypeError('mine'); });
			db.exec('create table t(a)');
			try { db.exec('begin; insert into t values (fails()); commit'); } catch (error) { console.log(error.message); }
			console.log(db.isTransaction, db.prepare('select count(*) c from t').get());
			db.exec('rollback');
			db.exec('select nonesuch');`
	});
	const { stdout, stderr, code } = pair.ours(['b.cjs']);
	expect(stdout).toBe('mine\ntrue [Object: null prototype] { c: 0 }\n');
	expect(stderr).toMatch(/\nError: no such column: nonesuch\n    at /);
	expect(stderr).toMatch(/ \{\n  code: 'ERR_SQLITE_ERROR',\n  errcode: 1,\n  errstr: 'SQL logic error'\n\}\n/);
	expect(code).toBe(1);
});

it('a backup in steps of no pages is refused, of less than none goes in one step', () => {
	pair.write({
		'c.mjs': `import { backup, DatabaseSync } from 'node:sqlite';
			const db = new DatabaseSync(':memory:');
			db.exec('create table t(a)');
			try { backup(db, 'copy.db', { rate: 0 }); } catch (error) { console.log(error.code, error.message); }
			console.log(await backup(db, 'copy.db', { rate: -1 }), backup.length);`
	});
	const { stdout } = pair.ours(['c.mjs']);
	expect(stdout).toBe('ERR_OUT_OF_RANGE The "options.rate" argument must be a positive integer.\n2 2\n');
});
