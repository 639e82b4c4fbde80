import type { BigIntStats } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileEffect } from '../../contract.ts';
import { isMissing } from '../../node-errors.ts';
import type { EffectScope } from './layers.ts';
import type { Layer } from './space.ts';

/** Identifies the state of a file: it differs for another content, mode or file. */
export interface FileState {
	kind: 'file' | 'symlink' | 'directory' | 'other';
	mode: number;
	size: bigint;
	inode: bigint;
	changedNs: bigint;
}

export interface TrialChange extends FileEffect {
	before: FileState | undefined;
	after: FileState | undefined;
}

export interface TrialChanges {
	/** Files, links and empty directories, sorted by path. */
	files: TrialChange[];
	/** Directories that the trial removed, innermost first. */
	removedDirectories: string[];
}

/** Finds differences between the files outside a trial and those that it sees. Reads only paths in its layers. */
export async function findChanges(layers: readonly Layer[], scope: EffectScope): Promise<TrialChanges> {
	const found: TrialChanges = { files: [], removedDirectories: [] };
	for (const layer of layers) await new LayerComparison(layer, scope, found).compareDirectory('');
	found.files.sort((a, b) => (a.path < b.path ? -1 : 1));
	found.removedDirectories.sort((a, b) => b.length - a.length);
	return found;
}

class LayerComparison {
	constructor(
		private readonly layer: Layer,
		private readonly scope: EffectScope,
		private readonly found: TrialChanges
	) {}

	async compareDirectory(below: string): Promise<void> {
		const [upper, lower, merged] = await Promise.all(
			[this.layer.upper, this.layer.directory, this.layer.merged].map((root) => namesIn(join(root, below)))
		);
		const kept = new Set(merged);
		const changed = new Set([...(upper ?? []), ...(lower ?? []).filter((name) => !kept.has(name))]);
		for (const name of changed) await this.#compare(below === '' ? name : `${below}/${name}`);
	}

	async #compare(below: string): Promise<void> {
		const before = await stateOf(join(this.layer.directory, below));
		const after = await stateOf(join(this.layer.merged, below));
		if (before?.kind === 'directory' && after?.kind === 'directory') {
			if (before.mode !== after.mode) this.#add(below, 'modified', before, after);
			return this.compareDirectory(below);
		}
		if (before && after && before.kind !== 'directory' && after.kind !== 'directory') {
			if (!(await this.#isSame(below, before, after))) this.#add(below, 'modified', before, after);
			return;
		}
		if (before) await this.#addAll(below, 'removed', before);
		if (after) await this.#addAll(below, 'added', after);
	}

	/** Adds a file, or each file of a directory, that exists on one side only. */
	async #addAll(below: string, kind: 'added' | 'removed', state: FileState): Promise<void> {
		const root = kind === 'added' ? this.layer.merged : this.layer.directory;
		const names = state.kind === 'directory' ? await namesIn(join(root, below)) : [];
		if (kind === 'removed' && state.kind === 'directory') this.#addRemovedDirectory(below);
		if (names.length === 0)
			this.#add(below, kind, kind === 'removed' ? state : undefined, kind === 'added' ? state : undefined);
		for (const name of names) {
			const inner = await stateOf(join(root, below, name));
			if (inner) await this.#addAll(`${below}/${name}`, kind, inner);
		}
	}

	#addRemovedDirectory(below: string): void {
		const path = join(this.layer.directory, below);
		if (this.scope.has(path)) this.found.removedDirectories.push(path);
	}

	#add(below: string, kind: FileEffect['kind'], before: FileState | undefined, after: FileState | undefined): void {
		const path = join(this.layer.directory, below);
		if (this.scope.has(path)) this.found.files.push({ path, kind, before, after });
	}

	async #isSame(below: string, before: FileState, after: FileState): Promise<boolean> {
		if (before.kind !== after.kind || before.size !== after.size) return false;
		if (before.kind !== 'symlink' && before.mode !== after.mode) return false;
		return hasSameContent(join(this.layer.directory, below), join(this.layer.merged, below), before.kind);
	}
}

/** State of a path, links not followed; `undefined` if nothing exists there. */
export async function stateOf(path: string): Promise<FileState | undefined> {
	try {
		return toState(await lstat(path, { bigint: true }));
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

function toState(stats: BigIntStats): FileState {
	const kind = stats.isFile()
		? 'file'
		: stats.isSymbolicLink()
			? 'symlink'
			: stats.isDirectory()
				? 'directory'
				: 'other';
	return { kind, mode: Number(stats.mode & 0o7777n), size: stats.size, inode: stats.ino, changedNs: stats.ctimeNs };
}

/** The bytes of a file, or a link's target. */
export async function contentOf(path: string, kind: FileState['kind']): Promise<Uint8Array> {
	if (kind === 'symlink') return readlink(path, 'buffer');
	return kind === 'file' ? readFile(path) : new Uint8Array();
}

export async function hasSameContent(a: string, b: string, kind: FileState['kind']): Promise<boolean> {
	if (kind !== 'file' && kind !== 'symlink') return true;
	const [first, second] = await Promise.all([contentOf(a, kind), contentOf(b, kind)]);
	return Buffer.compare(first, second) === 0;
}

/** Names in a directory; empty if it is unreadable. */
async function namesIn(directory: string): Promise<string[]> {
	try {
		return await readdir(directory);
	} catch (error) {
		if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'EACCES')) return [];
		throw error;
	}
}
