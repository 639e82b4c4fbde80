import sqliteUrl from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url';
import pyodide from 'pyodide/pyodide.asm.wasm?url';
import snapshot from 'virtual:python-snapshot';
import library from 'virtual:python-library';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import nodeUrl from '#computer/node/main.ts?program';
import { PROGRAMS } from '#computer/program-table.ts';
import pythonUrl from '#computer/python/main.ts?program';
import { LIBRARY, SNAPSHOT } from '#computer/python/settings.ts';
import shellUrl from '#computer/shell/main.ts?program';
import { sandboxInPage } from '../in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await sandboxInPage(
		[
			{ ...PROGRAMS.shell, url: shellUrl },
			{ ...PROGRAMS.node, url: nodeUrl },
			{ ...PROGRAMS.python, url: pythonUrl }
		],
		{ 'sqlite3.wasm': sqliteUrl, 'pyodide.asm.wasm': pyodide, [LIBRARY]: library, [SNAPSHOT]: snapshot }
	);
});
afterAll(() => sandbox.cleanup());

const run = async (files: Record<string, string>, command: string) => {
	for (const [name, text] of Object.entries(files)) await sandbox.writeFile(`/workspace/${name}`, text);
	return sandbox.exec(`export NODE_NO_WARNINGS=1; ${command}`, { timeoutMs: 50_000 });
};

const OPEN = `const { DatabaseSync } = require('node:sqlite'); const db = new DatabaseSync`;

it('shares a database with sqlite3 and with Python', async () => {
	const result = await run(
		{
			'make.cjs': `${OPEN}('shared.db');
				db.exec('create table t(a integer primary key, b text, c blob)');
				db.prepare('insert into t values (?, ?, ?)').run(1, 'één', new Uint8Array([1, 2]));
				console.log(db.location());`,
			'more.py': `import sqlite3
db = sqlite3.connect('shared.db')
print(db.execute('select * from t').fetchall())
db.execute("insert into t values (3, 'python', null)")
db.commit()`,
			'read.cjs': `${OPEN}('shared.db', { returnArrays: true });
				console.log(JSON.stringify(db.prepare('select a, b from t order by a').all()));`
		},
		`node make.cjs && sqlite3 shared.db "insert into t values (2, 'shell', null)" && python3 more.py && node read.cjs`
	);
	expect(result.stderr).toBe('');
	expect(result.stdout).toBe(
		`/workspace/shared.db\n[(1, 'één', b'\\x01\\x02'), (2, 'shell', None)]\n[[1,"één"],[2,"shell"],[3,"python"]]\n`
	);
});

it('several processes add to the same row without losing anything', async () => {
	const result = await run(
		{
			'zero.cjs': `${OPEN}('sum.db'); db.exec('create table t(n); insert into t values (0)');`,
			'add.cjs': `${OPEN}('sum.db', { timeout: 40000 });
				for (let i = 0; i < 40; i++) {
					db.exec('begin immediate');
					const { n } = db.prepare('select n from t').get();
					db.prepare('update t set n = ?').run(n + 1);
					db.exec('commit');
				}`,
			'sum.cjs': `${OPEN}('sum.db'); console.log(db.prepare('select n from t').get().n);`
		},
		'node zero.cjs; node add.cjs & node add.cjs & node add.cjs & wait; node sum.cjs'
	);
	expect(result).toMatchObject({ stderr: '', stdout: '120\n' });
});

it('a process killed within a transaction leaves neither its change nor its lock', async () => {
	const result = await run(
		{
			'killed.cjs': `${OPEN}('killed.db');
				db.exec('create table t(a); insert into t values (1); pragma cache_size = 1; begin exclusive; update t set a = 2');
				const insert = db.prepare('insert into t values (zeroblob(4000))');
				for (let i = 0; i < 50; i++) insert.run();
				process.kill(process.pid, 'SIGKILL');`,
			'after.cjs': `${OPEN}('killed.db');
				console.log(require('fs').existsSync('killed.db-journal'));
				console.log(JSON.stringify(db.prepare('select a from t').all()), db.prepare('pragma integrity_check').get());
				db.exec('insert into t values (3)');
				console.log(require('fs').existsSync('killed.db-journal'));`
		},
		'node killed.cjs; echo $?; node after.cjs'
	);
	expect(result.stdout).toBe('137\ntrue\n[{"a":1}] [Object: null prototype] { integrity_check: \'ok\' }\nfalse\n');
});

it('Node and Python exclude each other while they write', async () => {
	const result = await run(
		{
			'hold.cjs': `${OPEN}('held.db', { timeout: 20000 });
				db.exec('create table t(n); begin immediate; insert into t values (1)');
				const held = require('child_process').spawnSync('python3', ['try.py'], { encoding: 'utf8' });
				console.log(held.stdout + held.stderr);
				db.exec('commit');`,
			'try.py': `import sqlite3
db = sqlite3.connect('held.db', timeout=0)
print(db.execute('select count(*) from t').fetchall())
try: db.execute('insert into t values (2)')
except sqlite3.OperationalError as error: print(error)`,
			'hold.py': `import sqlite3, subprocess
db = sqlite3.connect('held.db')
db.execute('insert into t values (3)')
print(subprocess.run(['node', 'try.cjs'], capture_output=True, text=True).stdout, end='')
db.commit()
print(subprocess.run(['node', 'try.cjs'], capture_output=True, text=True).stdout, end='')`,
			'try.cjs': `${OPEN}('held.db');
				try { db.exec('insert into t values (4)'); } catch (error) { console.log(error.message); }
				console.log(db.prepare('select count(*) c from t').get().c);`
		},
		'node hold.cjs; python3 hold.py'
	);
	expect(result.stderr).toBe('');
	expect(result.stdout).toBe('[(0,)]\ndatabase is locked\n\ndatabase is locked\n1\n3\n');
});

it('copies a database while the program does other things', async () => {
	const result = await run(
		{
			'backup.mjs': `import { backup, DatabaseSync } from 'node:sqlite';
				const db = new DatabaseSync(':memory:');
				db.exec('create table t(a); insert into t values (zeroblob(50000))');
				let turns = 0;
				const timer = setInterval(() => turns++, 0);
				const pages = await backup(db, 'copy.db', { rate: 1, progress: () => {} });
				clearInterval(timer);
				console.log(pages, turns > 0, new DatabaseSync('copy.db').prepare('select length(a) l from t').get().l);`
		},
		'node backup.mjs'
	);
	expect(result).toMatchObject({ stderr: '', stdout: '14 true 50000\n' });
});
