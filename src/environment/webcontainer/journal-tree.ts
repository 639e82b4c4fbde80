import * as z from 'zod/mini';
import { isEnvironmentError } from '../errors.ts';
import type { JournalTree } from '../tree/journal.ts';
import { Entries, Entry } from './answers.ts';
import type { BootedContainer } from './booted-container.ts';

/** Adapts the container's files for journal and snapshots. */
export function journalTree(booted: BootedContainer): JournalTree {
	const { questions } = booted;
	return {
		walk: async (path) => new Map(await questions.ask('walk', { path }, Entries, path)),
		stat: async (path) => (await questions.ask('entry', { path }, z.nullable(Entry), path)) ?? undefined,
		async read(path, kind) {
			if (kind === 'symlink') {
				const target = await questions.ask('target', { path }, z.nullable(z.string()), path);
				return target === null ? undefined : new TextEncoder().encode(target);
			}
			try {
				return await booted.read(path);
			} catch (error) {
				if (isEnvironmentError(error) && ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES'].includes(error.code))
					return undefined;
				throw error;
			}
		}
	};
}
