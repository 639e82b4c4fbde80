import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { ShareRecord, ShareStore } from './store.ts';

const recordSchema = z.object({ expiresAt: z.number(), deleteHash: z.string() });
/** The padded record precedes the bytes in the same file, so that the two cannot be separated. */
const RECORD_BYTES = 256;
const SUFFIX = '.share';
const HALF = '.part';
/** A partial file older than this belongs to a writer that crashed. */
const ABANDONED_MS = 60 * 60_000;

/**
 * Stores each share in a file. Written under another name, flushed, then linked: a crash in between leaves
 * nothing that can be read.
 */
export function createDiskStore(folder: string, now: () => number = Date.now): ShareStore {
	const file = (id: string): string => path.join(folder, id + SUFFIX);
	// Another server that uses the same folder may have removed it already.
	const remove = (name: string): Promise<void> => rm(name, { force: true });

	async function readRecord(id: string): Promise<ShareRecord | undefined> {
		const handle = await open(file(id), 'r').catch(orIfMissing(undefined));
		if (!handle) return undefined;
		try {
			const head = Buffer.alloc(RECORD_BYTES);
			await handle.read(head, 0, RECORD_BYTES, 0);
			return recordSchema.parse(JSON.parse(head.toString('utf8')));
		} finally {
			await handle.close();
		}
	}

	return {
		async create(id, record, body) {
			await mkdir(folder, { recursive: true });
			const half = path.join(folder, randomUUID() + HALF);
			// Opened before the body is read: a stream destroyed while it still opens its file would create the file
			// after it was removed.
			const target = await open(half, 'wx', 0o600);
			try {
				try {
					await target.writeFile(JSON.stringify(record).padEnd(RECORD_BYTES));
					for await (const chunk of body) await target.writeFile(chunk as Uint8Array | string);
					await target.sync();
				} finally {
					await target.close();
				}
				await link(half, file(id));
			} finally {
				await remove(half);
			}
		},
		async open(id) {
			const record = await readRecord(id);
			if (!record || record.expiresAt <= now()) return undefined;
			const { size } = await stat(file(id));
			return {
				record,
				bytes: size - RECORD_BYTES,
				body: () => createReadStream(file(id), { start: RECORD_BYTES })
			};
		},
		delete: (id) => remove(file(id)),
		async sweep() {
			const names = await readdir(folder).catch(orIfMissing([]));
			let removed = 0;
			for (const name of names) {
				if (name.endsWith(HALF)) {
					const half = path.join(folder, name);
					// If it no longer exists, it was completed in the meantime.
					const found = await stat(half).catch(orIfMissing(undefined));
					if (found && found.mtimeMs < now() - ABANDONED_MS) await remove(half);
				} else if (name.endsWith(SUFFIX)) {
					const id = name.slice(0, -SUFFIX.length);
					const record = await readRecord(id);
					if (!record || record.expiresAt > now()) continue;
					await remove(file(id));
					removed += 1;
				}
			}
			return removed;
		}
	};
}

const orIfMissing =
	<T>(otherwise: T) =>
	(error: NodeJS.ErrnoException): T => {
		if (error.code === 'ENOENT') return otherwise;
		throw error;
	};
