import type { Runtime } from '../../runtime/runtime.ts';
import { OPEN, SQLITE } from './codes.ts';
import { Connection } from './connection.ts';
import { connectionOf } from './database.ts';
import { functionOption, integerOption, notPositive, requireObject, stringOption, wrongType } from './errors.ts';
import { databaseName } from './location.ts';

/** Time between two attempts if another connection holds the source. */
const LOCKED_MS = 25;

const isUnfinished = (code: number): boolean => code === SQLITE.OK || code === SQLITE.BUSY || code === SQLITE.LOCKED;

/** Creates `backup`, which copies a database while it is in use, and returns a promise of the number of pages. */
export function createBackup({ loop, async: calls }: Runtime) {
	return function backup(sourceDb?: unknown, destination?: unknown, options: unknown = undefined): Promise<number> {
		requireObject(sourceDb, 'sourceDb');
		const isPath = typeof destination === 'string' || (typeof destination === 'object' && destination !== null);
		if (!isPath) throw wrongType('destination', 'a string');
		const name = databaseName(destination);
		const from = connectionOf(sourceDb);
		if (!from) throw wrongType('sourceDb', 'a DatabaseSync');
		if (options !== undefined) requireObject(options, 'options');
		const given = options ?? {};
		const rate = integerOption(given, 'rate', 100);
		// Steps of no pages never come to the end: Node 22 hangs, later ones refuse this.
		if (rate === 0) throw notPositive('options.rate');
		const source = stringOption(given, 'source', 'main');
		const target = stringOption(given, 'target', 'main');
		const progress = functionOption(given, 'progress');
		/** Lets others run. Not a timer of the program, which it may replace. */
		const pause = (ms: number) => calls.poll([], ms);
		return loop.holdWhile(copy(from, { name, rate, source, target, progress, pause }));
	};
}

interface Copying {
	name: string;
	rate: number;
	source: string;
	target: string;
	progress: ((...args: unknown[]) => unknown) | undefined;
	pause(ms: number): Promise<unknown>;
}

async function copy(from: Connection, { name, rate, source, target, progress, pause }: Copying): Promise<number> {
	const { library } = from;
	const { calls } = library;
	await pause(0);
	from.requireOpen();
	const to = Connection.open(library, name, OPEN.READWRITE | OPEN.CREATE);
	try {
		const backup = library.withText(target, (into) =>
			library.withText(source, (of) => calls.sqlite3_backup_init(to.pointer, into, from.pointer, of))
		);
		if (backup === 0) throw to.error();
		let [pages, failure] = [0, SQLITE.OK as number];
		try {
			for (;;) {
				const code = calls.sqlite3_backup_step(backup, rate);
				const totalPages = (pages = calls.sqlite3_backup_pagecount(backup));
				if (!isUnfinished(code)) break;
				progress?.({ totalPages, remainingPages: calls.sqlite3_backup_remaining(backup) });
				await pause(code === SQLITE.OK ? 0 : LOCKED_MS);
				from.requireOpen();
			}
		} finally {
			failure = calls.sqlite3_backup_finish(backup);
		}
		if (failure !== SQLITE.OK) throw to.error();
		return pages;
	} finally {
		to.close();
	}
}
