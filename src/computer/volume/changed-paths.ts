import { isWithin, WORKSPACE } from '#computer/abi/paths.ts';
import type { VolumeChange } from '#computer/abi/volume-change.ts';
import { foldersAbove } from '#environment/folders.ts';
import { Mode } from '#environment/mode.ts';

/** Paths of the workspace, relative to it, that changed since the last query. */
export class ChangedPaths {
	/** Paths that may be new, changed or removed themselves. */
	readonly single = new Set<string>();
	/** Directories that were moved or copied here with everything in them. */
	readonly arrived = new Set<string>();
	/** Directories that disappeared with everything in them. */
	readonly gone = new Set<string>();

	record({ path, kind, mode, to }: VolumeChange): void {
		const isDirectory = mode === Mode.directory;
		const from = relative(path);
		if (from !== null) {
			this.single.add(from);
			if (isDirectory && (kind === 'remove' || kind === 'rename')) this.gone.add(from);
		}
		const target = to === undefined ? null : relative(to);
		if (target !== null) (isDirectory ? this.arrived : this.single).add(target);
	}

	clear(): void {
		this.single.clear();
		this.arrived.clear();
		this.gone.clear();
	}

	/** Returns whether a path was in one of the directories that disappeared. */
	isBelowGone(path: string): boolean {
		return foldersAbove(path).some((ancestor) => this.gone.has(ancestor));
	}
}

function relative(path: string): string | null {
	return path !== WORKSPACE && isWithin(path, WORKSPACE) ? path.slice(WORKSPACE.length + 1) : null;
}
