import type { Runtime } from '../../runtime/runtime.ts';
import { createBackup } from './backup.ts';
import { CHANGESET, Changesets } from './changesets.ts';
import { databaseClass, type Engine } from './database.ts';
import { registerFileSystem } from './file-system.ts';
import { SqlFunctions } from './functions.ts';
import { SqliteLibrary } from './library.ts';
import { StatementSync } from './statement.ts';

/** `node:sqlite`: SQLite over the computer's files. */
export function createSqlite(runtime: Runtime): Record<string, unknown> {
	let engine: Engine | undefined;
	const load = (): Engine => {
		if (engine) return engine;
		const library = new SqliteLibrary(runtime.sys);
		registerFileSystem(library, runtime);
		return (engine = { library, functions: new SqlFunctions(library), changesets: new Changesets(library) });
	};
	runtime.process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
	return {
		DatabaseSync: databaseClass(load),
		StatementSync,
		constants: { ...CHANGESET },
		backup: createBackup(runtime)
	};
}
