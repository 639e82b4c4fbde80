import * as z from 'zod/mini';

/**
 * Reads a value from the browser's storage and parses it. Invalid values, or blocked storage, count as absent.
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

/** Stores a value; `null` removes it. If storage is blocked or full, the value only lasts as long as the page. */
export function writeStored(storage: Storage, key: string, value: unknown): void {
	try {
		if (value === null) storage.removeItem(key);
		else storage.setItem(key, JSON.stringify(value));
	} catch {
		// See above.
	}
}
