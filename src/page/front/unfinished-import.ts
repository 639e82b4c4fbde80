import * as z from 'zod/mini';
import type { ImportSource } from '#workspace/contract.ts';

/** Stored in sessionStorage: it survives a reload and is invisible to other tabs. */
const KEY = 'sandglass:import';

const ImportRecord = z.object({ name: z.string(), url: z.optional(z.string()) });

/** An import that a reload interrupted. */
export type UnfinishedImport = z.infer<typeof ImportRecord>;

/**
 * Records an import until {@link forgetImport}: nothing of an interrupted import is stored, so the page can at least
 * report it.
 */
export function recordImport(source: ImportSource): void {
	const started: UnfinishedImport =
		source.kind === 'git' ? { name: source.url, url: source.url } : { name: source.name };
	keep(JSON.stringify(started));
}

/** Removes the record, however the import ended. */
export function forgetImport(): void {
	keep(null);
}

/** Returns, once, the import that was in progress when this tab was last loaded. */
export function takeUnfinishedImport(): UnfinishedImport | null {
	const text = read();
	if (text === null) return null;
	keep(null);
	try {
		return z.parse(ImportRecord, JSON.parse(text));
	} catch {
		// The stored value is not ours.
		return null;
	}
}

function keep(text: string | null): void {
	try {
		if (text === null) sessionStorage.removeItem(KEY);
		else sessionStorage.setItem(KEY, text);
	} catch {
		// Storage is blocked or full: the page cannot explain a reload then, but loses nothing else.
	}
}

function read(): string | null {
	try {
		return sessionStorage.getItem(KEY);
	} catch {
		return null;
	}
}
