import type ts from 'typescript';
import type { CompilerHost } from './compiler.ts';

interface HeldFile {
	version: number;
	/** `undefined`: there is no such file. */
	text: string | undefined;
	snapshot: ts.IScriptSnapshot | undefined;
}

/** Files of one project as its compiler sees them: cached, and read again when reported as changed. */
export class HeldFiles {
	readonly #files = new Map<string, HeldFile>();
	/** Grows with each change. */
	version = 0;

	constructor(private readonly host: CompilerHost) {}

	get(path: string): HeldFile {
		return this.#files.get(path) ?? this.#hold(path, this.#read(path));
	}

	/** Does not read the file: asks the file system if it is not cached. */
	exists(path: string): boolean {
		const held = this.#files.get(path);
		return held ? held.text !== undefined : this.host.system.fileExists(path);
	}

	has(path: string): boolean {
		return this.#files.has(path);
	}

	/** @returns true if this created or deleted the file */
	set(path: string, text: string | undefined): boolean {
		const held = this.#files.get(path);
		const was = held ? held.text : this.#read(path);
		if (!held || was !== text) this.#hold(path, text);
		return (was === undefined) !== (text === undefined);
	}

	/** Reads a file again. @returns true if it was created or deleted */
	refresh(path: string): boolean {
		// A file that was never requested may be one that an import could not find before.
		return this.#files.has(path) ? this.set(path, this.#read(path)) : true;
	}

	#read(path: string): string | undefined {
		return this.host.system.readFile(path);
	}

	#hold(path: string, text: string | undefined): HeldFile {
		const snapshot = text === undefined ? undefined : this.host.compiler.ScriptSnapshot.fromString(text);
		const held = { version: (this.#files.get(path)?.version ?? 0) + 1, text, snapshot };
		this.#files.set(path, held);
		this.version++;
		return held;
	}
}
