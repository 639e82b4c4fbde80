import type { LoadEntry } from '../../contract.ts';
import type { WireChange } from '../protocol.ts';
import { Mode } from '../../mode.ts';

interface Kept {
	/** As git has it. */
	mode: number;
	/** Of a file or a symbolic link. */
	bytes: Uint8Array;
	children: Map<string, Kept>;
}

const NO_BYTES = new Uint8Array(0);
const makeDirectory = (): Kept => ({ mode: Mode.directory, bytes: NO_BYTES, children: new Map() });

/** The files of a machine as its journal told of them, so that they outlive its kernel. Bytes are shared, not copied. */
export class KeptFiles {
	#root = makeDirectory();

	record({ path, kind, mode, bytes, to }: WireChange): void {
		const [parent, name] = this.#place(path);
		const present = parent.children.get(name);
		if (kind === 'remove') parent.children.delete(name);
		else if (kind === 'rename' && to !== undefined) {
			parent.children.delete(name);
			const [target, newName] = this.#place(to);
			if (present) target.children.set(newName, present);
		} else if (kind === 'mkdir') {
			if (!present) parent.children.set(name, makeDirectory());
		} else if (kind === 'mode') {
			if (present) present.mode = mode;
		} else parent.children.set(name, { mode, bytes: bytes ?? NO_BYTES, children: new Map() });
	}

	/** The bytes of the file or link at an absolute path. */
	bytesAt(path: string): Uint8Array | undefined {
		const [parent, name] = this.#place(path);
		const found = parent.children.get(name);
		return found && found.mode !== Mode.directory ? found.bytes : undefined;
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
		const visit = (directory: Kept, at: string): void => {
			for (const [name, { mode, bytes, children }] of directory.children) {
				const path = `${at}/${name}`;
				if (mode !== Mode.directory || children.size === 0) found.push({ path, mode, bytes });
				else visit({ mode, bytes, children }, path);
			}
		};
		visit(this.#root, '');
		return found;
	}

	#place(path: string): [parent: Kept, name: string] {
		const names = path.split('/').filter((part) => part !== '');
		const name = names.pop() ?? '';
		let directory = this.#root;
		for (const part of names) {
			const next = directory.children.get(part) ?? makeDirectory();
			directory.children.set(part, next);
			directory = next;
		}
		return [directory, name];
	}
}
