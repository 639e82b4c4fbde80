import { join, WORKSPACE } from '../../paths.ts';
import { errno } from '../errno.ts';
import type { Link } from '@jsonjoy.com/fs-core';
import { childrenOf, fileOf, gitMode, isDirectory, kindOf, targetOf } from '../files/inode.ts';
import { removeTree } from '../files/tree.ts';
import type { Volume } from '../files/volume.ts';
import { blobId, blobOf } from './blobs.ts';
import { sha1 } from './sha1.ts';

export type TreeEntry = [path: string, mode: number, blob: string];

const EMPTY_DIRECTORY = 0o40000;
const encoder = new TextEncoder();

/** Content-addressed states of the workspace. Only contents that changed since they were last hashed are hashed. */
export class Snapshots {
	#blobs = new Map<string, Uint8Array>();

	constructor(private readonly volume: Volume) {}

	take(): { id: string; entries: TreeEntry[] } {
		const entries: TreeEntry[] = [];
		this.#visit(this.#workspace(), '', entries);
		entries.sort((a, b) => (a[0] < b[0] ? -1 : 1));
		const text = entries.map(([path, mode, blob]) => `${mode.toString(8)} ${blob}\t${path}\0`).join('');
		return { id: sha1(encoder.encode(text)), entries };
	}

	/** @throws ENOENT before anything is changed when a blob is not known here */
	restore(entries: TreeEntry[]): void {
		for (const [path, mode, blob] of entries) if (mode !== EMPTY_DIRECTORY) this.#known(blob, path);
		const { volume } = this;
		const wanted = new Map(entries.map((entry) => [entry[0], entry]));
		const directories = new Set<string>();
		for (const [path] of entries) for (const parent of parentsOf(path)) directories.add(parent);
		// Upside down, so that a directory is looked at after what is in it.
		for (const { path, kind } of this.#present().reverse()) {
			const entry = wanted.get(path);
			const stays = kind === 'directory' ? directories.has(path) || entry?.[1] === EMPTY_DIRECTORY : entry;
			if (!stays) removeTree(volume, join(WORKSPACE, path), { recursive: true });
		}
		for (const [path, mode, blob] of entries) this.#write(join(WORKSPACE, path), mode, blob);
	}

	/** @throws ENOENT when no snapshot has had it */
	read(blob: string): Uint8Array {
		return this.#known(blob);
	}

	/** Takes in blobs that a snapshot from elsewhere names. */
	keep(blobs: Uint8Array[]): void {
		for (const bytes of blobs) this.#blobs.set(blobId(bytes), bytes);
	}

	#visit(directory: Link, below: string, entries: TreeEntry[]): void {
		for (const [name, child] of childrenOf(directory)) {
			const path = below + name;
			const file = fileOf(child);
			if (isDirectory(child)) {
				if (child.length === 0) entries.push([path, EMPTY_DIRECTORY, '']);
				else this.#visit(child, `${path}/`, entries);
			} else if (file) {
				const blob = blobOf(file.content);
				if (!this.#blobs.has(blob)) this.#blobs.set(blob, file.content.view());
				entries.push([path, gitMode(file), blob]);
			} else {
				const bytes = encoder.encode(targetOf(child) ?? '');
				const blob = blobId(bytes);
				this.#blobs.set(blob, bytes);
				entries.push([path, 0o120000, blob]);
			}
		}
	}

	/** Writes one entry unless it is there already: an unchanged file keeps its time and makes no journal entry. */
	#write(full: string, mode: number, blob: string): void {
		const { volume } = this;
		if (mode === EMPTY_DIRECTORY) return volume.mkdir(full, { recursive: true });
		const bytes = this.#known(blob);
		let present;
		try {
			present = volume.existing(full, false).link;
		} catch {
			volume.mkdir(full.slice(0, full.lastIndexOf('/')), { recursive: true });
		}
		if (mode === 0o120000) {
			const target = new TextDecoder().decode(bytes);
			if (targetOf(present) === target) return;
			removeTree(volume, full, { force: true });
			return volume.symlink(target, full);
		}
		if (targetOf(present) !== null) removeTree(volume, full);
		const file = fileOf(present);
		if (!file || blobOf(file.content) !== blob) volume.writeFile(full, bytes.slice(), { mode: mode & 0o777 });
		if (gitMode(volume.file(full)) !== mode) volume.chmod(full, mode & 0o777);
	}

	#present(): { path: string; kind: string }[] {
		const found: { path: string; kind: string }[] = [];
		const visit = (directory: Link, below: string): void => {
			for (const [name, child] of childrenOf(directory)) {
				found.push({ path: below + name, kind: kindOf(child) });
				if (isDirectory(child)) visit(child, `${below}${name}/`);
			}
		};
		visit(this.#workspace(), '');
		return found;
	}

	#known(blob: string, path?: string): Uint8Array {
		const bytes = this.#blobs.get(blob);
		if (!bytes) throw errno('ENOENT', path, `blob ${blob} is not known in this sandbox`);
		return bytes;
	}

	#workspace(): Link {
		const { link } = this.volume.existing(WORKSPACE);
		if (!isDirectory(link)) throw errno('ENOTDIR', WORKSPACE);
		return link;
	}
}

function parentsOf(path: string): string[] {
	const parts = path.split('/').slice(0, -1);
	return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
