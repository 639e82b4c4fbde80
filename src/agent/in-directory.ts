import type {
	DirEntry,
	ExecOptions,
	ExecResult,
	ExecutionEnvironment,
	FileStat,
	GrepOptions,
	LineRange,
	Process
} from '#environment/contract.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';

/** Environment whose relative paths and commands start in a subdirectory. */
export class InDirectory extends DelegatingEnvironment {
	readonly #directory: string;

	/** @param directory absolute, or relative to the environment's own working directory */
	constructor(inner: ExecutionEnvironment, directory: string) {
		super(inner);
		this.#directory = (directory.startsWith('/') ? directory : `${inner.workingDirectory()}/${directory}`).replace(
			/\/+$/,
			''
		);
	}

	#at(path: string): string {
		if (path.startsWith('/') || path.startsWith('~')) return path;
		return path === '' || path === '.' ? this.#directory : `${this.#directory}/${path}`;
	}

	override workingDirectory(): string {
		return this.#directory;
	}
	override readFile(path: string, range?: LineRange): Promise<string> {
		return this.inner.readFile(this.#at(path), range);
	}
	override readBytes(path: string): Promise<Uint8Array> {
		return this.inner.readBytes(this.#at(path));
	}
	override writeFile(path: string, content: string | Uint8Array): Promise<void> {
		return this.inner.writeFile(this.#at(path), content);
	}
	override fileExists(path: string): Promise<boolean> {
		return this.inner.fileExists(this.#at(path));
	}
	override stat(path: string): Promise<FileStat> {
		return this.inner.stat(this.#at(path));
	}
	override listDirectory(path: string, depth: number): Promise<DirEntry[]> {
		return this.inner.listDirectory(this.#at(path), depth);
	}
	override remove(path: string, options?: { recursive?: boolean }): Promise<void> {
		return this.inner.remove(this.#at(path), options);
	}
	override rename(from: string, to: string): Promise<void> {
		return this.inner.rename(this.#at(from), this.#at(to));
	}
	override makeDirectory(path: string): Promise<void> {
		return this.inner.makeDirectory(this.#at(path));
	}
	override readLink(path: string): Promise<string> {
		return this.inner.readLink(this.#at(path));
	}
	override symlink(target: string, path: string): Promise<void> {
		return this.inner.symlink(target, this.#at(path));
	}
	override setMode(path: string, mode: number): Promise<void> {
		return this.inner.setMode(this.#at(path), mode);
	}
	override exec(command: string, options: ExecOptions = {}): Promise<ExecResult> {
		return this.inner.exec(command, { ...options, cwd: this.#at(options.cwd ?? '.') });
	}
	override start(command: string, options: ExecOptions = {}): Promise<Process> {
		return this.inner.start(command, { ...options, cwd: this.#at(options.cwd ?? '.') });
	}
	override get runOnTrial(): ExecutionEnvironment['runOnTrial'] {
		const run = this.inner.runOnTrial?.bind(this.inner);
		return run && ((command, options = {}) => run(command, { ...options, cwd: this.#at(options.cwd ?? '.') }));
	}
	override grep(pattern: string, path: string, options?: GrepOptions): Promise<string> {
		return this.inner.grep(pattern, this.#at(path), options);
	}
	override glob(pattern: string, path: string): Promise<string[]> {
		return this.inner.glob(pattern, this.#at(path));
	}
}
