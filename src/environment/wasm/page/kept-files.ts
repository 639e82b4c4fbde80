import type { LoadEntry } from '../../contract.ts';
import type { WireChange } from '../protocol.ts';
import { Mode } from '../../mode.ts';

interface KeptFile {
	/** As git has it. */
	mode: number;
	/** Of a file or a symbolic link. */
	bytes: Uint8Array;
}

type Directory = Map<string, KeptFile | Directory>;

const NO_BYTES = new Uint8Array(0);

/** The files of a machine as its journal told of them, so that they outlive its kernel. Bytes are shared, not copied. */
export class KeptFiles {
	readonly #root: Directory = new Map();

	record({ path, kind, mode, bytes, to }: WireChange): void {
		const [parent, name] = this.#place(path);
		const present = parent.get(name);
		if (kind === 'remove') parent.delete(name);
		else if (kind === 'rename' && to !== undefined) {
			parent.delete(name);
			const [target, newName] = this.#place(to);
			if (present) target.set(newName, present);
		} else if (kind === 'mkdir') {
			if (!present) parent.set(name, new Map());
		} else if (kind === 'mode') {
			if (present && !isDirectory(present)) present.mode = mode;
		} else parent.set(name, { mode, bytes: bytes ?? NO_BYTES });
	}

	/** The bytes of the file or link at an absolute path. */
	bytesAt(path: string): Uint8Array | undefined {
		const [parent, name] = this.#place(path);
		const found = parent.get(name);
		return found && !isDirectory(found) ? found.bytes : undefined;
	}

	/** All files and links, as `load` takes them. */
	files(): LoadEntry[] {
		return this.#all().filter(({ mode }) => mode !== Mode.directory);
	}

	/** Paths of directories that have nothing in them, which no file brings along. */
	emptyDirectories(): string[] {
		return this.#all()
			.filter(({ mode }) => mode === Mode.directory)
			.map(({ path }) => path);
	}

	#all(): LoadEntry[] {
		const found: LoadEntry[] = [];
		const visit = (directory: Directory, at: string): void => {
			for (const [name, entry] of directory) {
				const path = `${at}/${name}`;
				if (!isDirectory(entry)) found.push({ path, ...entry });
				else if (entry.size === 0) found.push({ path, mode: Mode.directory, bytes: NO_BYTES });
				else visit(entry, path);
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
			let next = directory.get(part);
			if (!next || !isDirectory(next)) directory.set(part, (next = new Map()));
			directory = next;
		}
		return [directory, name];
	}
}

const isDirectory = (entry: KeptFile | Directory): entry is Directory => entry instanceof Map;
