import * as z from 'zod/mini';

/**
 * A value in the browser's own storage, parsed on its way in. What makes no sense, or storage that is blocked, counts
 * as absent.
 *
 * @param storage `localStorage` outlives the tab, `sessionStorage` does not
 */
export function readStored<Schema extends z.ZodMiniType>(storage: Storage, key: string, schema: Schema) {
	try {
		const value = z.safeParse(schema, JSON.parse(storage.getItem(key) ?? 'null'));
		return value.success ? value.data : null;
	} catch {
		return null;
	}
}

/** Keeps it; `null` removes it. Storage that is blocked or full keeps nothing: the value then lasts as long as the page. */
export function writeStored(storage: Storage, key: string, value: unknown): void {
	try {
		if (value === null) storage.removeItem(key);
		else storage.setItem(key, JSON.stringify(value));
	} catch {
		// See above.
	}
}
