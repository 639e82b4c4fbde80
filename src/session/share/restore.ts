import type { ExecutionEnvironment, LoadEntry } from '#environment/contract.ts';
import type { ImportFile, ImportRepository, ImportSource } from '#workspace/contract.ts';
import type { ShareBundle } from '../contract.ts';
import { EnvironmentError, isEnvironmentError } from '#environment/errors.ts';
import { belowWorkingDirectory, foldersAbove } from '#environment/folders.ts';
import { fromBase64 } from './base64.ts';
import { removeIfThere } from '#workspace/remove-if-there.ts';

type Files = Record<string, { mode: number; base64: string }>;

/**
 * Writes a share's starting point into an empty environment: its base fetched from its origin, or the files as
 * they were before the session changed them, as a single commit.
 *
 * @returns files that the import left out, each a sentence
 */
export async function restoreBase(
	bundle: ShareBundle,
	environment: ExecutionEnvironment,
	importRepository: ImportRepository,
	options: Parameters<ImportRepository>[2] = {}
): Promise<string[]> {
	const source: ImportSource = bundle.base
		? { kind: 'git', url: bundle.base.url, ref: bundle.base.commit }
		: { kind: 'folder', name: bundle.origin.name, files: startOf(bundle) };
	const { notices } = await importRepository(source, environment, options);
	return notices;
}

/** Applies the session's changes to the base, all at once. */
export async function restoreChanges(bundle: ShareBundle, environment: ExecutionEnvironment): Promise<void> {
	for (const path of bundle.removed) await removeBelow(environment, path);
	await environment.load(loadFiles(bundle.files));
}

/**
 * Removes a path that the share marks as removed.
 * @throws EnvironmentError `EACCES` for a path that leads through a link
 */
export async function removeBelow(environment: ExecutionEnvironment, path: string): Promise<void> {
	await refuseLinksAbove(environment, path);
	await removeIfThere(environment, path);
}

/**
 * Refuses symbolic links above a path: a share's own base can contain a link to any place, and like `load`,
 * other operations must not follow it.
 *
 * @throws EnvironmentError `EACCES` when a folder above the path is a symbolic link
 */
export async function refuseLinksAbove(environment: ExecutionEnvironment, path: string): Promise<void> {
	for (const folder of foldersAbove(path)) {
		if ((await kindOf(environment, belowWorkingDirectory(folder))) === 'symlink')
			throw new EnvironmentError('EACCES', `This path leads through a symbolic link: ${path}`, path);
	}
}

/** Also reports a dangling link; `null` if nothing exists. */
async function kindOf(environment: ExecutionEnvironment, path: string): Promise<string | null> {
	try {
		return (await environment.stat(path)).kind;
	} catch (error) {
		if (isEnvironmentError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
		throw error;
	}
}

/** Files of a share as input for an environment. */
export async function* loadFiles(files: Files): AsyncGenerator<LoadEntry> {
	for (const [path, { mode, base64 }] of Object.entries(files)) yield { path, mode, bytes: fromBase64(base64) };
}

async function* startOf({ files, before }: ShareBundle): AsyncGenerator<ImportFile> {
	for (const [path, file] of Object.entries({ ...files, ...before })) {
		if (file) yield { path, mode: file.mode, bytes: fromBase64(file.base64) };
	}
}
