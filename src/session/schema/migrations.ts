/** An entry as stored in a file, before validation. */
type Line = Record<string, unknown>;

/** Migration steps: each converts entries of its version to the next one; existing values are preserved. */
const steps: ((lines: Line[]) => Line[])[] = [treeFromList, partsFromText];

const NEWEST = steps.length + 1;

/**
 * Migrates the entries of an older session to the current form. A damaged line is unchanged; the subsequent
 * validation names and drops it.
 *
 * Version 1 is a list without ids; 2 a tree whose messages are plain texts; 3 has parts instead.
 *
 * @returns the entries, and a sentence if the session is newer than this program
 */
export function migrateEntries(values: readonly unknown[]): { values: unknown[]; warnings: string[] } {
	const root = values.find((value) => isLine(value) && value['type'] === 'session');
	const version = isLine(root) && typeof root['version'] === 'number' ? root['version'] : NEWEST;
	if (version > NEWEST) {
		const warning = `The session was written by a newer Sandglass (version ${version}); what this one does not know was left out.`;
		return { values: [...values], warnings: [warning] };
	}
	if (version === NEWEST || version < 1) return { values: [...values], warnings: [] };
	const lines = values.filter(isLine);
	const damaged = values.filter((value) => !isLine(value));
	let migrated = lines;
	for (const step of steps.slice(version - 1)) migrated = step(migrated);
	const dated = migrated.map((line) => (line['type'] === 'session' ? { ...line, version: NEWEST } : line));
	return { values: [...dated, ...damaged], warnings: [] };
}

function isLine(value: unknown): value is Line {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts a list to a tree of one branch: each entry below the previous one. */
function treeFromList(lines: Line[]): Line[] {
	let parentId: unknown = null;
	return lines.map((line, index) => {
		const id = line['id'] ?? `entry-${index + 1}`;
		const placed = { ...line, id, parentId: 'parentId' in line ? line['parentId'] : parentId };
		parentId = id;
		return placed;
	});
}

function partsFromText(lines: Line[]): Line[] {
	return lines.map((line) => {
		const message = line['message'];
		if (line['type'] !== 'message' || !isLine(message) || typeof message['content'] !== 'string') return line;
		return { ...line, message: { ...message, content: [{ type: 'text', text: message['content'] }] } };
	});
}
