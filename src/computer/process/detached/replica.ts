import { fileCalls } from '#computer/volume/file-calls.ts';
import { loadEntries } from '#computer/volume/load.ts';
import { removeTree, renameEntry } from '#computer/volume/tree.ts';
import type { VolumeChange } from '#computer/abi/volume-change.ts';
import type { Volume } from '#computer/volume/volume.ts';
import { SyscallError } from '#computer/abi/client.ts';

/** A process's own copy of the volume, and what it knows of the kernel's. */
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

	/** Notes that the log of `version` changes `path`. */
	touch(path: string, version: number): void {
		this.#touched.set(path, version);
	}

	/** Takes over what others did. Where this process was later, its own work stays: the kernel will have it, too. */
	apply(changes: VolumeChange[], applied: number): void {
		for (const [path, version] of this.#touched) if (version <= applied) this.#touched.delete(path);
		for (const change of changes) {
			if (this.#touched.has(change.path) || (change.to !== undefined && this.#touched.has(change.to))) continue;
			try {
				this.#apply(change);
			} catch (error) {
				// Its directory is one that this process has moved or removed since.
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
