import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '../contract.ts';
import { emptyDirectories, replaceLink, writeAtomically } from './files.ts';
import { statOrNothing } from './tree.ts';
import { Mode } from '../mode.ts';

/** Makes the directory equal the wanted snapshot, touching only what differs from the present one. */
export async function restoreTree(
	root: string,
	wanted: Snapshot,
	present: Snapshot,
	read: (blob: string) => Promise<Uint8Array>
): Promise<void> {
	// All blobs are read first: a missing one must not leave half a restore.
	const writes: { path: string; mode: number; bytes: Uint8Array }[] = [];
	for (const [path, { mode, blob }] of wanted.entries) {
		const now = present.entries.get(path);
		if (mode !== Mode.directory && (now?.blob !== blob || now.mode !== mode))
			writes.push({ path, mode, bytes: await read(blob) });
	}
	for (const path of present.entries.keys()) {
		const kept = wanted.entries.get(path);
		const present_ = present.entries.get(path);
		if (!kept || (kept.mode === Mode.directory) !== (present_?.mode === Mode.directory))
			await removeUnlessDirectory(join(root, path));
	}
	const keptDirectories = new Set<string>();
	for (const [path, { mode }] of wanted.entries) {
		if (mode === Mode.directory) keptDirectories.add(path);
		for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
			keptDirectories.add(path.slice(0, end));
	}
	for (const path of await emptyDirectories(root, keptDirectories))
		await rm(join(root, path), { recursive: true, force: true });
	for (const { path, mode, bytes } of writes) {
		const place = join(root, path);
		if (mode === Mode.symlink) await replaceLink(new TextDecoder().decode(bytes), place);
		else {
			await clearForFile(place);
			await writeAtomically(place, bytes);
			await chmod(place, mode === Mode.executable ? 0o755 : 0o644);
		}
	}
	for (const path of keptDirectories) await mkdir(join(root, path), { recursive: true });
}

async function removeUnlessDirectory(place: string): Promise<void> {
	if ((await statOrNothing(place))?.kind !== 'directory') await rm(place, { force: true });
}

/** A link or a directory where a file should be would be followed or in the way. */
async function clearForFile(place: string): Promise<void> {
	const entry = await statOrNothing(place);
	if (entry && entry.kind !== 'file') await rm(place, { recursive: true, force: true });
}
