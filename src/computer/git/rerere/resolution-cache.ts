import { encode } from '../bytes.ts';
import { isObjectId } from '../objects/object-id.ts';
import type { Repository } from '../repository.ts';

/** One recorded conflict; several with the same id may differ around the hunks. */
export interface Recorded {
	id: string;
	/** Number among those with the same id; null if not recorded yet. */
	variant: number | null;
}

type Image = 'preimage' | 'postimage' | 'thisimage';

/** Conflicts and their resolutions in `.git/rr-cache`, and the current conflicts in `.git/MERGE_RR`. */
export class ResolutionCache {
	readonly #directory: string;

	constructor(private readonly repository: Repository) {
		this.#directory = `${repository.commonDir}/rr-cache`;
	}

	get exists(): boolean {
		return this.repository.files.statOrNull(this.#directory)?.kind === 'directory';
	}

	/** Ids of all conflicts. */
	ids(): string[] {
		return this.exists
			? this.repository.files.readdir(this.#directory).flatMap(({ name }) => (isObjectId(name) ? [name] : []))
			: [];
	}

	/** Current conflicts by path, with their records. */
	underWay(): Map<string, Recorded> {
		const found = new Map<string, Recorded>();
		for (const entry of (this.repository.note('MERGE_RR') ?? '').split('\0')) {
			const [, id, variant, path] = /^([0-9a-f]{40})(?:\.(\d+))?\t(.+)$/s.exec(entry) ?? [];
			if (id !== undefined && path !== undefined) found.set(path, { id, variant: Number(variant ?? 0) });
		}
		return found;
	}

	keepUnderWay(entries: ReadonlyMap<string, Recorded>): void {
		const { files, gitDir } = this.repository;
		const lines = [...entries].map(([path, { id, variant }]) => `${id}${variant ? `.${variant}` : ''}\t${path}\0`);
		files.writeFile(`${gitDir}/MERGE_RR`, encode(lines.join('')));
	}

	/** Numbers of the variants of a conflict that have an image. */
	variants(id: string, image: Image = 'preimage'): number[] {
		const { files } = this.repository;
		const directory = `${this.#directory}/${id}`;
		if (files.statOrNull(directory)?.kind !== 'directory') return [];
		const numbers = files.readdir(directory).flatMap(({ name }) => {
			const [, kind, number] = /^(preimage|postimage|thisimage)(?:\.(\d+))?$/.exec(name) ?? [];
			return kind === image ? [Number(number ?? 0)] : [];
		});
		return numbers.sort((a, b) => a - b);
	}

	read(recorded: Recorded, image: Image): Uint8Array | null {
		const path = this.#path(recorded, image);
		const { files } = this.repository;
		return files.statOrNull(path)?.kind === 'file' ? files.readFile(path) : null;
	}

	modifiedMs(recorded: Recorded, image: Image): number {
		return this.repository.files.statOrNull(this.#path(recorded, image))?.modifiedMs ?? 0;
	}

	write(recorded: Recorded, image: Image, content: Uint8Array): void {
		const { files } = this.repository;
		files.mkdir(`${this.#directory}/${recorded.id}`, { recursive: true });
		files.writeFile(this.#path(recorded, image), content);
	}

	remove(recorded: Recorded, ...images: Image[]): void {
		const { files } = this.repository;
		for (const image of images) files.remove(this.#path(recorded, image), { force: true });
		const directory = `${this.#directory}/${recorded.id}`;
		if (files.statOrNull(directory)?.kind === 'directory' && files.readdir(directory).length === 0)
			files.rmdir(directory);
	}

	#path({ id, variant }: Recorded, image: Image): string {
		return `${this.#directory}/${id}/${image}${variant ? `.${variant}` : ''}`;
	}
}
