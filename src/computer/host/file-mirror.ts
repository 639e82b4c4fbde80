import type { LoadEntry } from '#environment/contract.ts';
import { Mode } from '#environment/mode.ts';
import { placeOf } from '#environment/sorted.ts';
import type { WireChange } from '#computer/abi/protocol.ts';

interface Kept {
	name: string;
	/** Mode as in git. */
	mode: number;
	/** Content of a file, or target of a symbolic link. */
	bytes: Uint8Array;
	/** Entries of a directory; `null` for everything else. */
	entries: Directory | null;
}

/**
 * Entries sorted by name. Not a map: the page's engine interns keys of maps, and very many names would slow it down.
 */
type Directory = Kept[];

const NO_BYTES = new Uint8Array(0);
const nameOf = ({ name }: Kept): string => name;
const newDirectory = (name: string) => ({ name, mode: Mode.directory, bytes: NO_BYTES, entries: [] });

/** Files of a machine, mirrored from its journal, so that they survive its kernel. Bytes are shared, not copied. */
export class FileMirror {
	readonly #root: Directory = [];

	record({ path, kind, mode, bytes, to }: WireChange): void {
		const [parent, name] = this.#place(path);
		const present = find(parent, name);
		if (kind === 'remove') remove(parent, name);
		else if (kind === 'rename' && to !== undefined) {
			remove(parent, name);
			const [target, newName] = this.#place(to);
			if (present) put(target, { ...present, name: newName });
		} else if (kind === 'mkdir') {
			if (!present) put(parent, newDirectory(name));
		} else if (kind === 'mode') {
			if (present) present.mode = mode;
		} else put(parent, { name, mode, bytes: bytes ?? NO_BYTES, entries: null });
	}

	/** Returns the bytes of the file or link at an absolute path. */
	bytesAt(path: string): Uint8Array | undefined {
		const [parent, name] = this.#place(path);
		const found = find(parent, name);
		return found && !found.entries ? found.bytes : undefined;
	}

	/** All files and links, in the form that `load` accepts. */
	files(): LoadEntry[] {
		return this.#all().filter(({ mode }) => mode !== Mode.directory);
	}

	/** Paths of empty directories, which loading files does not create. */
	emptyDirectories(): string[] {
		return this.#all()
			.filter(({ mode }) => mode === Mode.directory)
			.map(({ path }) => path);
	}

	#all(): LoadEntry[] {
		const found: LoadEntry[] = [];
		const visit = (directory: Directory, at: string): void => {
			for (const { name, mode, bytes, entries } of directory) {
				const path = `${at}/${name}`;
				if (!entries) found.push({ path, mode, bytes });
				else if (entries.length === 0) found.push({ path, mode: Mode.directory, bytes });
				else visit(entries, path);
			}
		};
		visit(this.#root, '');
		return found;
	}

	#place(path: string): [parent: Directory, name: string] {
		const names = path.split('/').filter((part) => part !== '');
		const name = names.pop() ?? '';
		let directory = this.#root;
		for (const part of names) {
			let next = find(directory, part)?.entries;
			if (!next) put(directory, { ...newDirectory(part), entries: (next = []) });
			directory = next;
		}
		return [directory, name];
	}
}

function find(directory: Directory, name: string): Kept | undefined {
	const found = directory[placeOf(directory, name, nameOf)];
	return found?.name === name ? found : undefined;
}

/** Replaces an existing entry of that name. */
function put(directory: Directory, kept: Kept): void {
	const at = placeOf(directory, kept.name, nameOf);
	directory.splice(at, directory[at]?.name === kept.name ? 1 : 0, kept);
}

function remove(directory: Directory, name: string): void {
	const at = placeOf(directory, name, nameOf);
	if (directory[at]?.name === name) directory.splice(at, 1);
}
