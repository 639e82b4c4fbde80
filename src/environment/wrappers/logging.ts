import type * as contract from '../contract.ts';
import { DelegatingEnvironment } from './delegating.ts';

/** One operation of an environment and its outcome. */
export interface EnvironmentLogEntry {
	operation: 'exec' | 'trial' | 'start' | 'write' | 'remove' | 'rename' | 'read' | 'grep' | 'glob';
	/** The command, path or pattern. */
	subject: string;
	durationMs: number;
	exitCode?: number;
	/** Message of the error if it rejected. */
	error?: string;
}

/** Logs the operations of an environment, without file contents and variables. */
export class LoggingExecutionEnvironment extends DelegatingEnvironment {
	constructor(
		inner: contract.ExecutionEnvironment,
		private readonly log: (entry: EnvironmentLogEntry) => void
	) {
		super(inner);
	}

	override exec(command: string, options?: contract.ExecOptions): Promise<contract.ExecResult> {
		return this.#logged('exec', command, super.exec(command, options), ({ exitCode }) => ({ exitCode }));
	}
	override start(command: string, options?: contract.ExecOptions): Promise<contract.Process> {
		return this.#logged('start', command, super.start(command, options));
	}
	protected override tryOut(
		inner: contract.ExecutionEnvironment,
		command: string,
		options?: contract.ExecOptions
	): Promise<contract.Trial> {
		const trial = super.tryOut(inner, command, options);
		return this.#logged('trial', command, trial, ({ result: { exitCode } }) => ({ exitCode }));
	}
	override writeFile(path: string, content: string | Uint8Array): Promise<void> {
		return this.#logged('write', path, super.writeFile(path, content));
	}
	override remove(path: string, options?: { recursive?: boolean }): Promise<void> {
		return this.#logged('remove', path, super.remove(path, options));
	}
	override rename(from: string, to: string): Promise<void> {
		return this.#logged('rename', `${from} → ${to}`, super.rename(from, to));
	}
	override readFile(path: string, range?: contract.LineRange): Promise<string> {
		return this.#logged('read', path, super.readFile(path, range));
	}
	override readBytes(path: string): Promise<Uint8Array> {
		return this.#logged('read', path, super.readBytes(path));
	}
	override grep(pattern: string, path: string, options?: contract.GrepOptions): Promise<string> {
		return this.#logged('grep', pattern, super.grep(pattern, path, options));
	}
	override glob(pattern: string, path: string): Promise<string[]> {
		return this.#logged('glob', pattern, super.glob(pattern, path));
	}

	async #logged<T>(
		operation: EnvironmentLogEntry['operation'],
		subject: string,
		work: Promise<T>,
		more: (value: T) => Partial<EnvironmentLogEntry> = () => ({})
	): Promise<T> {
		const started = performance.now();
		const entry = (): EnvironmentLogEntry => ({ operation, subject, durationMs: performance.now() - started });
		try {
			const value = await work;
			this.log({ ...entry(), ...more(value) });
			return value;
		} catch (error) {
			this.log({ ...entry(), error: error instanceof Error ? error.message : String(error) });
			throw error;
		}
	}
}
