import { fileCalls } from '#computer/volume/file-calls.ts';
import { loadEntries } from '#computer/volume/load.ts';
import { removeTree, renameEntry } from '#computer/volume/tree.ts';
import type { VolumeChange } from '#computer/abi/volume-change.ts';
import type { Volume } from '#computer/volume/volume.ts';
import { SyscallError } from '#computer/abi/client.ts';

/** Copy of the volume in a process, and which of its changes the kernel knows. */
export class Replica {
	readonly calls: ReturnType<typeof fileCalls>;
	/** Counts every change, as the shared counter does. */
	generation = 0;
	/** Path → the version of the log in which this process has changed it. */
	#touched = new Map<string, number>();

	constructor(readonly volume: Volume) {
		this.calls = fileCalls({ volume });
		volume.onMutation = () => void this.generation++;
	}

	/** Records that the log of `version` changes `path`. */
	touch(path: string, version: number): void {
		this.#touched.set(path, version);
	}

	/**
	 * Applies changes made by others. Where this process changed a path later, its own change stays: the kernel will
	 * apply it, too.
	 */
	apply(changes: VolumeChange[], applied: number): void {
		for (const [path, version] of this.#touched) if (version <= applied) this.#touched.delete(path);
		for (const change of changes) {
			if (this.#touched.has(change.path) || (change.to !== undefined && this.#touched.has(change.to))) continue;
			try {
				this.#apply(change);
			} catch (error) {
				// This process has moved or removed the parent directory since.
				if (!(error instanceof SyscallError)) throw error;
			}
		}
	}

	#apply({ path, kind, mode, bytes = new Uint8Array(0), to }: VolumeChange): void {
		if (kind === 'remove') removeTree(this.volume, path, { recursive: true, force: true });
		else if (kind === 'mkdir') this.volume.mkdir(path, { recursive: true });
		else if (kind === 'mkfifo') this.volume.mkfifo(path);
		else if (kind === 'socket') this.volume.makeSocket(path);
		else if (kind === 'mode') this.volume.chmod(path, mode & 0o111 ? 0o755 : 0o644);
		else if (kind === 'rename') {
			if (to !== undefined) renameEntry(this.volume, path, to);
		} else loadEntries(this.volume, '/', [{ path: path.slice(1), mode, bytes }], { restored: true });
	}
}
