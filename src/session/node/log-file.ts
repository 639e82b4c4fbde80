import { mkdir, open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { SessionEntry, SessionLog } from '#agent/session-log.ts';
import { StoredSessionLog } from '../log.ts';
import { parseEntries } from '../schema/entries.ts';
import { encodeLines, parseLines } from '../storage/lines.ts';

/** A session's log in a file, to be passed to `Session` as `log`, together with `id` if it is set. */
export interface LogFile {
	log: SessionLog;
	/** Id of the session in the file; `undefined` for a new file. */
	sessionId: string | undefined;
	/** One sentence for each line that could not be used. */
	warnings: string[];
	/** Writes pending lines and releases the file. Call it after the session has been closed. */
	close(): Promise<void>;
}

/**
 * Opens or creates the log of a session, in lines of JSON with checksums as the page stores them. A torn last line,
 * left by a crash, is cut off; damaged lines are left out and named. The file is locked by `<file>.lock`, which names
 * the process.
 *
 * @throws Error if another running process has the file open, or it cannot be read or written
 */
export async function openLogFile(file: string): Promise<LogFile> {
	await mkdir(path.dirname(path.resolve(file)), { recursive: true });
	const unlock = await lock(`${file}.lock`);
	let handle: FileHandle | undefined;
	try {
		// Append mode creates the file, and cannot overwrite existing data.
		handle = await open(file, 'a', 0o600);
		const { values, warnings, goodSize } = parseLines(await readFile(file), 'session');
		await handle.truncate(goodSize);
		const parsed = parseEntries(values);
		const log = new StoredSessionLog(parsed.entries, sinkOf(handle));
		return {
			log,
			sessionId: sessionIdOf(parsed.entries),
			warnings: [...warnings, ...parsed.warnings],
			close: closer(log, handle, unlock)
		};
	} catch (error) {
		await handle?.close();
		await unlock();
		throw error;
	}
}

function sinkOf(handle: FileHandle): ConstructorParameters<typeof StoredSessionLog>[1] {
	return {
		append: async (entries) => {
			await handle.appendFile(encodeLines(entries));
		},
		flush: () => handle.datasync()
	};
}

function closer(log: SessionLog, handle: FileHandle, unlock: () => Promise<void>): () => Promise<void> {
	let closed: Promise<void> | undefined;
	const close = async (): Promise<void> => {
		try {
			await log.flush();
		} finally {
			await handle.close();
			await unlock();
		}
	};
	return () => (closed ??= close());
}

function sessionIdOf(entries: readonly SessionEntry[]): string | undefined {
	for (const entry of entries) if (entry.type === 'session') return entry.sessionId;
	return undefined;
}

/** Creates a lock file with the process's id; takes over that of a process that has ended. Returns the release. */
async function lock(file: string): Promise<() => Promise<void>> {
	const release = (): Promise<void> => rm(file, { force: true });
	for (let attempt = 0; attempt < 2; attempt++) {
		try {
			await writeFile(file, `${process.pid}\n`, { flag: 'wx' });
			return release;
		} catch (error) {
			if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
		}
		const owner = Number(await readFile(file, 'utf8').catch(() => ''));
		if (owner > 0 && isRunning(owner)) break;
		await release();
	}
	throw new Error(
		`Another process has this session open: ${file}. Close it there, or delete that file if no process does.`
	);
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// The process exists, but belongs to another user.
		return error instanceof Error && 'code' in error && error.code === 'EPERM';
	}
}
