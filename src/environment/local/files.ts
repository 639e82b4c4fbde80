import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { constants } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DirEntry, FileStat } from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import type { TreeEntry } from '../tree/entry.ts';
import { statOrNothing, UNFINISHED } from './tree.ts';

/** Replaces a file's content atomically and keeps its mode. Parents are created. */
export async function writeAtomically(path: string, bytes: Uint8Array, newMode = 0o644): Promise<number> {
	await makeParents(path);
	const old = await statOrNothing(path);
	if (old?.kind === 'directory') throw new EnvironmentError('EISDIR', `This is a directory: ${path}`, path);
	// Replacing requires only the directory's permission; opening also checks the file's own.
	if (old) await (await fs.open(path, 'r+')).close();
	const mode = old?.mode ?? newMode;
	const unfinished = join(dirname(path), UNFINISHED + randomUUID());
	try {
		await fs.writeFile(unfinished, bytes, { mode, flag: 'wx' });
		if (old) await fs.chmod(unfinished, mode);
		await fs.rename(unfinished, path);
	} catch (error) {
		await fs.rm(unfinished, { force: true });
		throw error;
	}
	return mode;
}

export async function makeParents(path: string): Promise<void> {
	try {
		await fs.mkdir(dirname(path), { recursive: true });
	} catch (error) {
		// Node reports EEXIST if a file is where the directory should be.
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
			throw new EnvironmentError('ENOTDIR', `A part of this path is not a directory: ${path}`, path);
		throw error;
	}
}

export function toFileStat(entry: TreeEntry): FileStat {
	return {
		kind: entry.kind,
		size: entry.size,
		mode: entry.mode,
		modifiedMs: Number(entry.modifiedNs / 1_000n) / 1_000
	};
}

export async function listTo(directory: string, depth: number): Promise<DirEntry[]> {
	const found: DirEntry[] = [];
	const visit = async (below: string, left: number): Promise<void> => {
		for (const name of await fs.readdir(join(directory, below))) {
			if (name.startsWith(UNFINISHED)) continue;
			const path = below === '' ? name : `${below}/${name}`;
			const entry = await statOrNothing(join(directory, path));
			if (!entry) continue;
			found.push({ path, ...toFileStat(entry) });
			if (entry.kind === 'directory' && left > 1) await visit(path, left - 1);
		}
	};
	await visit('', depth);
	return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

export async function removePath(path: string, recursive: boolean): Promise<TreeEntry> {
	const entry = await statOrNothing(path);
	if (!entry) throw Object.assign(new Error(), { code: 'ENOENT' });
	if (entry.kind !== 'directory') await fs.unlink(path);
	else if (recursive) await fs.rm(path, { recursive: true });
	else await fs.rmdir(path);
	return entry;
}

export async function makeLink(target: string, path: string): Promise<void> {
	await makeParents(path);
	await fs.symlink(target, path);
}

/** Creates a link, replacing an existing file or link. */
export async function replaceLink(target: string, path: string): Promise<void> {
	await fs.rm(path, { recursive: true, force: true });
	await makeLink(target, path);
}

/** Copies a tree with its links, modes and times. */
export async function copyTree(from: string, to: string): Promise<void> {
	await fs.cp(from, to, {
		recursive: true,
		preserveTimestamps: true,
		verbatimSymlinks: true,
		mode: constants.COPYFILE_FICLONE,
		filter: (path) => !basename(path).startsWith(UNFINISHED)
	});
}
