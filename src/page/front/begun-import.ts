import * as z from 'zod/mini';
import type { ImportSource } from '#workspace/contract.ts';

/** In the tab's own storage: it survives a reload, and no other tab knows of it. */
const KEY = 'sandglass:import';

const Begun = z.object({ name: z.string(), url: z.optional(z.string()) });

/** An import that a reload cut off. */
export type BegunImport = z.infer<typeof Begun>;

/** Remembers an import until {@link importEnded}: nothing of a cut-off one is kept, so that the page can at least say so. */
export function importBegan(source: ImportSource): void {
	const begun: BegunImport = source.kind === 'git' ? { name: source.url, url: source.url } : { name: source.name };
	keep(JSON.stringify(begun));
}

/** It came to an end, whatever end. */
export function importEnded(): void {
	keep(null);
}

/** The import that was under way when this tab was loaded last; told once. */
export function importCutOff(): BegunImport | null {
	const text = read();
	if (text === null) return null;
	keep(null);
	try {
		return z.parse(Begun, JSON.parse(text));
	} catch {
		// Somebody else's words under our key.
		return null;
	}
}

function keep(text: string | null): void {
	try {
		if (text === null) sessionStorage.removeItem(KEY);
		else sessionStorage.setItem(KEY, text);
	} catch {
		// Storage is blocked or full: then a reload is not explained, and nothing else is lost.
	}
}

function read(): string | null {
	try {
		return sessionStorage.getItem(KEY);
	} catch {
		return null;
	}
}
