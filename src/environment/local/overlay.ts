import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionEnvironment, OverlayEnvironment, Snapshot } from '../contract.ts';
import { MergingOverlay } from '../wrappers/overlay.ts';
import { copyTree } from './files.ts';

/** Working directory and limits of a local environment. */
export interface LocalPlace {
	workingDirectory: string;
	roots?: string[];
	closed?: string[];
}

/**
 * Creates an independent copy of a local directory in a temporary directory.
 *
 * Limit: its working directory has a different path from the base's, and a command that names the base's path reaches
 * the base.
 *
 * @param make creates the environment of the copy
 * @param common see {@link ExecutionEnvironment.overlay}
 */
export async function overlayOver(
	base: ExecutionEnvironment,
	place: LocalPlace,
	make: (place: Required<LocalPlace>) => ExecutionEnvironment,
	common?: Snapshot
): Promise<OverlayEnvironment> {
	const directory = await mkdtemp(join(tmpdir(), 'sandglass-overlay-'));
	const workingDirectory = join(directory, 'workspace');
	await copyTree(place.workingDirectory, workingDirectory);
	const closed = [...(place.closed ?? []), place.workingDirectory];
	const copy = make({ workingDirectory, roots: [workingDirectory, tmpdir(), '/tmp'], closed });
	await copy.initialize();
	const dispose = (): Promise<void> => rm(directory, { recursive: true, force: true });
	return new MergingOverlay(base, copy, common ?? (await copy.snapshot()), dispose);
}
