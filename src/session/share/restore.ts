import type { ExecutionEnvironment, LoadEntry } from '../../environment/contract.ts';
import type { ImportRepository, ImportSource } from '../../workspace/contract.ts';
import type { ShareBundle } from '../contract.ts';
import { fromBase64 } from './base64.ts';

/**
 * Puts a share's starting point into an empty environment: its base from where it came, or the
 * files as they were before the session changed them, with their one commit.
 *
 * @returns what the import left out, each a sentence
 */
export async function restoreBase(
	bundle: ShareBundle,
	environment: ExecutionEnvironment,
	importRepository: ImportRepository,
	options: Parameters<ImportRepository>[2] = {}
): Promise<string[]> {
	const source: ImportSource = bundle.base
		? { kind: 'git', url: bundle.base.url, ref: bundle.base.commit }
		: { kind: 'files', name: bundle.origin.name, files: {} };
	if (source.kind === 'files') {
		for (const [path, file] of Object.entries({ ...bundle.files, ...bundle.before })) {
			if (file) source.files[path] = fromBase64(file.base64);
		}
	}
	const { notices } = await importRepository(source, environment, options);
	return notices;
}

/** Then what the session made of it. */
export async function restoreChanges(bundle: ShareBundle, environment: ExecutionEnvironment): Promise<void> {
	for (const path of bundle.removed) {
		if (await environment.fileExists(path)) await environment.remove(path, { recursive: true });
	}
	await environment.load(sharedFiles(bundle));
}

async function* sharedFiles(bundle: ShareBundle): AsyncGenerator<LoadEntry> {
	for (const [path, { mode, base64 }] of Object.entries(bundle.files)) yield { path, mode, bytes: fromBase64(base64) };
}
