import { chmod, mkdir, rmdir, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileEffect, TrialMerge } from '../../contract.ts';
import { isEnvironmentError } from '../../errors.ts';
import { toEnvironmentError } from '../../node-errors.ts';
import { makeParents, writeAtomically } from '../files.ts';
import { toReal, type PathRules } from '../paths.ts';
import { contentOf, hasSameContent, stateOf, type FileState, type TrialChange, type TrialChanges } from './changes.ts';
import type { OverlaySpace } from './space.ts';

export interface MergeContext {
	space: OverlaySpace;
	rules: PathRules;
	/** Lower bound for the change time of files changed after the trial started. */
	startedNs: bigint;
}

/** Applies a trial's changes to files outside that are still as the trial saw them. */
export async function mergeChanges(
	{ files, removedDirectories }: TrialChanges,
	context: MergeContext
): Promise<TrialMerge> {
	const merge: TrialMerge = { merged: [], conflicts: [] };
	const apply = async (change: TrialChange): Promise<void> => {
		const effect: FileEffect = { path: change.path, kind: change.kind };
		((await wasApplied(change, context)) ? merge.merged : merge.conflicts).push(effect);
	};
	for (const change of files) if (change.kind === 'removed') await apply(change);
	for (const path of removedDirectories) await removeEmptyDirectory(path, context);
	const isModeOfDirectory = ({ kind, after }: TrialChange): boolean =>
		kind === 'modified' && after?.kind === 'directory';
	for (const change of files) if (change.kind !== 'removed' && !isModeOfDirectory(change)) await apply(change);
	// Directories may be made unwritable once they are complete, innermost first.
	for (const change of files.filter(isModeOfDirectory).reverse()) await apply(change);
	for (const list of [merge.merged, merge.conflicts]) list.sort((a, b) => (a.path < b.path ? -1 : 1));
	return merge;
}

/** @returns false for a conflict; the existing file is then left as is */
async function wasApplied(change: TrialChange, context: MergeContext): Promise<boolean> {
	const { path, before, after } = change;
	try {
		// A link in the path means that it refers to a different file now.
		if ((await toReal(context.rules, path, false)) !== path) return false;
		const now = await stateOf(path);
		const source = sourceOf(path, context);
		if (await isAlready(path, now, after, source)) return true;
		if (!isUnchanged(before, now, context.startedNs)) return false;
		await put(path, now, after, source);
		return true;
	} catch (error) {
		const { code } = toEnvironmentError(error, path);
		if (
			isEnvironmentError(error) ||
			['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP'].includes(code)
		)
			return false;
		throw toEnvironmentError(error, path);
	}
}

function sourceOf(path: string, { space }: MergeContext): string {
	const place = space.locate(path);
	return place ? join(place.layer.merged, place.below) : path;
}

async function isAlready(
	path: string,
	now: FileState | undefined,
	after: FileState | undefined,
	source: string
): Promise<boolean> {
	if (!now || !after) return now === after;
	if (now.kind !== after.kind || (now.kind !== 'symlink' && now.mode !== after.mode)) return false;
	return now.kind === 'directory' || (now.size === after.size && (await hasSameContent(path, source, now.kind)));
}

function isUnchanged(before: FileState | undefined, now: FileState | undefined, startedNs: bigint): boolean {
	if (!before || !now) return before === now;
	if (before.kind === 'directory') return now.kind === 'directory' && now.mode === before.mode;
	return now.inode === before.inode && now.changedNs === before.changedNs && before.changedNs < startedNs;
}

async function put(
	path: string,
	now: FileState | undefined,
	after: FileState | undefined,
	source: string
): Promise<void> {
	const isReplaced = now && (after?.kind !== now.kind || after.kind === 'symlink');
	if (isReplaced) await (now.kind === 'directory' ? rmdir(path) : unlink(path));
	if (!after) return;
	if (after.kind === 'symlink') {
		await makeParents(path);
		await symlink(await contentOf(source, 'symlink').then((target) => Buffer.from(target)), path);
	} else if (after.kind === 'directory') {
		await mkdir(path, { recursive: true });
		await chmod(path, after.mode);
	} else if (after.kind === 'file') {
		const isContent = !now || isReplaced || !(await hasSameContent(path, source, 'file'));
		if (isContent) await writeAtomically(path, await contentOf(source, 'file'), after.mode);
		await chmod(path, after.mode);
	}
}

/** Keeps a directory that something was added to meanwhile. */
async function removeEmptyDirectory(path: string, { rules }: MergeContext): Promise<void> {
	try {
		if ((await toReal(rules, path, false)) === path) await rmdir(path);
	} catch {
		// It is not empty or does not exist; its files have already reported that.
	}
}
