import type * as contract from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import type { LanguageService } from '../language.ts';
import type { PreviewControl } from '../preview.ts';

/** Delegates every call to another environment; wrappers override what they change. */
export class DelegatingEnvironment implements contract.ExecutionEnvironment {
	constructor(protected inner: contract.ExecutionEnvironment) {}

	get loopback(): contract.LocalServers | undefined {
		return this.inner.loopback;
	}

	get preview(): PreviewControl | undefined {
		return this.inner.preview;
	}

	get servePreview(): contract.ExecutionEnvironment['servePreview'] {
		const { inner } = this;
		return inner.servePreview && ((answer) => inner.servePreview?.(answer) ?? (() => {}));
	}

	get runOnTrial(): contract.ExecutionEnvironment['runOnTrial'] {
		const { inner } = this;
		return inner.runOnTrial && ((command, options) => this.tryOut(inner, command, options));
	}

	get description(): string | undefined {
		return this.inner.description;
	}

	get diagnostics(): contract.DiagnosticsService | undefined {
		return this.inner.diagnostics;
	}

	get language(): LanguageService | undefined {
		return this.inner.language;
	}

	initialize(): Promise<void> {
		return this.inner.initialize();
	}
	cleanup(): Promise<void> {
		return this.inner.cleanup();
	}
	workingDirectory(): string {
		return this.inner.workingDirectory();
	}
	platform(): 'wasm' | 'linux' | 'darwin' | 'windows' {
		return this.inner.platform();
	}
	osVersion(): string {
		return this.inner.osVersion();
	}
	readFile(path: string, range?: contract.LineRange): Promise<string> {
		return this.inner.readFile(path, range);
	}
	readBytes(path: string): Promise<Uint8Array> {
		return this.inner.readBytes(path);
	}
	writeFile(path: string, content: string | Uint8Array): Promise<void> {
		return this.inner.writeFile(path, content);
	}
	fileExists(path: string): Promise<boolean> {
		return this.inner.fileExists(path);
	}
	stat(path: string): Promise<contract.FileStat> {
		return this.inner.stat(path);
	}
	listDirectory(path: string, depth: number): Promise<contract.DirEntry[]> {
		return this.inner.listDirectory(path, depth);
	}
	remove(path: string, options?: { recursive?: boolean }): Promise<void> {
		return this.inner.remove(path, options);
	}
	rename(from: string, to: string): Promise<void> {
		return this.inner.rename(from, to);
	}
	makeDirectory(path: string): Promise<void> {
		return this.inner.makeDirectory(path);
	}
	readLink(path: string): Promise<string> {
		return this.inner.readLink(path);
	}
	symlink(target: string, path: string): Promise<void> {
		return this.inner.symlink(target, path);
	}
	setMode(path: string, mode: number): Promise<void> {
		return this.inner.setMode(path, mode);
	}
	load(entries: AsyncIterable<contract.LoadEntry>, options?: contract.LoadOptions): Promise<void> {
		return this.inner.load(entries, options);
	}
	onChange(listener: (change: contract.FileChange) => void): () => void {
		return this.inner.onChange(listener);
	}
	exec(command: string, options?: contract.ExecOptions): Promise<contract.ExecResult> {
		return this.inner.exec(command, options);
	}
	start(command: string, options?: contract.ExecOptions): Promise<contract.Process> {
		return this.inner.start(command, options);
	}
	openTerminal(size: contract.TerminalSize): Promise<contract.Terminal> {
		return this.inner.openTerminal(size);
	}
	grep(pattern: string, path: string, options?: contract.GrepOptions): Promise<string> {
		return this.inner.grep(pattern, path, options);
	}
	glob(pattern: string, path: string): Promise<string[]> {
		return this.inner.glob(pattern, path);
	}
	snapshot(): Promise<contract.Snapshot> {
		return this.inner.snapshot();
	}
	restore(snapshot: contract.Snapshot): Promise<void> {
		return this.inner.restore(snapshot);
	}
	readBlob(blob: string): Promise<Uint8Array> {
		return this.inner.readBlob(blob);
	}
	overlay(common?: contract.Snapshot): Promise<contract.OverlayEnvironment> {
		return this.inner.overlay(common);
	}

	/** Runs a command on trial, for wrappers that extend that. */
	protected tryOut(
		inner: contract.ExecutionEnvironment,
		command: string,
		options?: contract.ExecOptions
	): Promise<contract.Trial> {
		if (!inner.runOnTrial) throw new EnvironmentError('EUNAVAILABLE', 'Nothing runs on trial here.');
		return inner.runOnTrial(command, options);
	}
}
