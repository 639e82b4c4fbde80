import { isWithin, WORKSPACE } from '#computer/abi/paths.ts';
import type { VolumeChange } from '#computer/abi/volume-change.ts';
import { foldersAbove } from '#environment/folders.ts';
import { Mode } from '#environment/mode.ts';

/** Paths of the workspace, relative to it, that changed since the last query. */
export class ChangedPaths {
	/** Paths that may be new, different or removed themselves. */
	readonly single = new Set<string>();
	/** Directories that came from elsewhere with all that is in them. */
	readonly arrived = new Set<string>();
	/** Directories that went away with all that was in them. */
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

	/** True for what was in one of the directories that went away. */
	isBelowGone(path: string): boolean {
		return foldersAbove(path).some((ancestor) => this.gone.has(ancestor));
	}
}

function relative(path: string): string | null {
	return path !== WORKSPACE && isWithin(path, WORKSPACE) ? path.slice(WORKSPACE.length + 1) : null;
}
