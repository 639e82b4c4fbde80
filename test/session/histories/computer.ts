import type { ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import type { Model } from './model.ts';

type Needed = 'onChange' | 'workingDirectory' | 'fileExists' | 'stat' | 'readBytes';

/** The parts of a computer that a stored session uses; its files are the model's. */
export class Computer implements Pick<ExecutionEnvironment, Needed> {
	#listener: (change: FileChange) => void = () => undefined;
	#seq = 0;

	constructor(private readonly model: Model) {}

	/** Applies changes of the history, where possible, and reports them like the journal of a computer. */
	write(path: string, text: string): void {
		this.model.files[path] = text;
		this.#tell({ path, kind: 'write', mode: 0o100644, bytes: new TextEncoder().encode(text) });
	}

	remove(path: string): void {
		if (!(path in this.model.files)) return;
		delete this.model.files[path];
		this.#tell({ path, kind: 'remove', mode: 0o100644 });
	}

	rename(path: string, to: string): void {
		const text = this.model.files[path];
		if (text === undefined || path === to) return;
		delete this.model.files[path];
		this.model.files[to] = text;
		this.#tell({ path, kind: 'rename', mode: 0o100644, to });
	}

	#tell(change: Omit<FileChange, 'seq'>): void {
		this.model.changed();
		this.#listener({ seq: ++this.#seq, ...change });
	}

	onChange(listener: (change: FileChange) => void): () => void {
		this.#listener = listener;
		return () => undefined;
	}

	workingDirectory(): string {
		return '/workspace';
	}

	fileExists(path: string): Promise<boolean> {
		return Promise.resolve(path in this.model.files);
	}

	stat(path: string): ReturnType<ExecutionEnvironment['stat']> {
		const size = this.model.files[path]?.length ?? 0;
		return Promise.resolve({ kind: 'file', size, mode: 0o644, modifiedMs: 0 });
	}

	readBytes(path: string): Promise<Uint8Array> {
		return Promise.resolve(new TextEncoder().encode(this.model.files[path]));
	}
}
