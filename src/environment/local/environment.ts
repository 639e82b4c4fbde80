import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { homedir, platform, release, tmpdir, type } from 'node:os';
import { join, resolve } from 'node:path';
import type * as contract from '../contract.ts';
import { EditorLanguage } from '../diagnostics/editor-language.ts';
import { ProjectDiagnostics } from '../diagnostics/service.ts';
import type { LanguageService } from '../language.ts';
import { refuseLinkOnTheWay, requireEntryPath } from '../entry-path.ts';
import { EnvironmentError } from '../errors.ts';
import { sliceLines } from '../lines.ts';
import { Journal } from '../tree/journal.ts';
import { startPython, startTypeScript } from './diagnostics.ts';
import * as files from './files.ts';
import { journalTree } from './journal-tree.ts';
import { toEnvironmentError } from '../node-errors.ts';
import { overlayOver } from './overlay.ts';
import { hideOwnVariables } from './own-environment.ts';
import { toAbsolute, toReal, type PathRules } from './paths.ts';
import { restoreTree } from './restore.ts';
import { CommandRunner } from './runner.ts';
import * as search from './search.ts';
import { LocalServerPorts } from './servers.ts';
import { SnapshotStore } from './snapshots.ts';
import { INTERACTIVE, PipedTerminal, type TerminalOpener } from './terminal.ts';
import { statOrNothing, toTreeEntry } from './tree.ts';
import type { VariablePolicy } from './variables.ts';
import { WorkspaceTree } from './workspace-tree.ts';
import { fileMode, Mode } from '../mode.ts';
import type { MachineServers } from '../remote/servers.ts';

/** Variable that identifies a command's processes. */
const SERVER_MARK = 'SANDGLASS_MACHINE';

export interface LocalEnvironmentOptions {
	workingDirectory: string;
	/** Directory of `~` and `$HOME`. Default: the user's home. */
	home?: string;
	/**
	 * Directories where files may be read and written. Default: the working directory, the home and the temporary
	 * directory.
	 */
	roots?: string[];
	/** Excluded directories within the roots. */
	closed?: string[];
	variables?: VariablePolicy;
	/** Default `/bin/bash`. */
	shell?: string;
	/**
	 * Program that enforces the rights of commands: bubblewrap on Linux, sandbox-exec on macOS; `null`: none. Default:
	 * the installed one, if it works here.
	 */
	confinement?: string | null;
	/** The ripgrep program; `null` searches without it. Default `rg` if installed. */
	ripgrep?: string | null;
	/** Opens shells on terminal devices; if it cannot, `notice` is shown. Default: shells use pipes. */
	terminals?: { open: TerminalOpener | undefined; notice: string };
	/**
	 * Shows servers of commands and lets the page reach them; a variable distinguishes the commands from other programs.
	 */
	servers?: boolean;
	/** Location of the language service's script, for hosts that bundle this library; `null`: no diagnostics. */
	diagnosticsScript?: URL | null;
}

/**
 * Tools on this machine, in Node. Commands are run by bash in their own process groups.
 *
 * File methods are restricted to the roots; commands are programs of this machine, limited only by their rights, which
 * the operating system enforces if it can. On macOS, or without bubblewrap, nothing runs on trial. The journal reports
 * own writes immediately, and changes by commands when they end.
 */
export class LocalExecutionEnvironment implements contract.ExecutionEnvironment {
	protected readonly options: LocalEnvironmentOptions;
	readonly #terminals = new Set<contract.Terminal>();
	#opened: Promise<Opened> | undefined;
	#runner: CommandRunner | undefined;
	#closed: Promise<void> | undefined;
	/** Runs mutations and scans one after another, so that a scan never sees half of a write. */
	#queue: Promise<unknown> = Promise.resolve();
	readonly #earlyListeners = new Set<(change: contract.FileChange) => void>();

	readonly #diagnostics: ProjectDiagnostics | undefined;
	readonly #language: EditorLanguage | undefined;
	readonly #servers: LocalServerPorts | undefined;

	constructor(options: LocalEnvironmentOptions) {
		const workingDirectory = resolve(options.workingDirectory);
		this.options = { ...options, workingDirectory };
		if (options.servers) {
			const mark = randomUUID();
			this.options.variables = { ...options.variables, set: { ...options.variables?.set, [SERVER_MARK]: mark } };
			this.#servers = new LocalServerPorts(`${SERVER_MARK}=${mark}`);
		}
		if (options.diagnosticsScript === null) return;
		const typeScript = startTypeScript(() => this.workingDirectory(), options.diagnosticsScript);
		const onChange = (listener: (change: contract.FileChange) => void) => this.onChange(listener);
		this.#language = new EditorLanguage({ typeScript, onChange });
		this.#diagnostics = new ProjectDiagnostics({
			typeScript,
			python: startPython,
			isPythonWarm: () => true,
			onChange
		});
	}

	/** Absent unless enabled by the options. */
	get servers(): MachineServers | undefined {
		return this.#servers;
	}

	get language(): LanguageService | undefined {
		return this.#language;
	}

	get diagnostics(): contract.DiagnosticsService | undefined {
		return this.#diagnostics;
	}

	async initialize(): Promise<void> {
		await this.#open();
	}

	cleanup(): Promise<void> {
		this.#closed ??= this.#close();
		return this.#closed;
	}

	workingDirectory(): string {
		return this.options.workingDirectory;
	}

	platform(): 'linux' | 'darwin' | 'windows' {
		const name = platform();
		return name === 'darwin' ? 'darwin' : name === 'win32' ? 'windows' : 'linux';
	}

	osVersion(): string {
		return `${type()} ${release()}`;
	}

	readFile(path: string, range?: contract.LineRange): Promise<string> {
		return this.#at(path, true, async (real) => sliceLines(await fs.readFile(real, 'utf8'), range));
	}

	readBytes(path: string): Promise<Uint8Array> {
		return this.#at(path, true, async (real) => new Uint8Array(await fs.readFile(real)));
	}

	writeFile(path: string, content: string | Uint8Array): Promise<void> {
		const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
		return this.#change(path, true, async (real, journal) => {
			const mode = await files.writeAtomically(real, bytes);
			await journal.record({ path: real, kind: 'write', mode: fileMode(mode), bytes });
		});
	}

	fileExists(path: string): Promise<boolean> {
		return this.#at(path, true, async (real) => (await statOrNothing(real)) !== undefined);
	}

	stat(path: string): Promise<contract.FileStat> {
		return this.#at(path, false, async (real) => {
			const entry = toTreeEntry(await fs.lstat(real, { bigint: true }));
			if (!entry) throw new EnvironmentError('EINVAL', `This is neither a file, a directory nor a link: ${path}`, path);
			return files.toFileStat(entry);
		});
	}

	listDirectory(path: string, depth: number): Promise<contract.DirEntry[]> {
		return this.#at(path, true, (real) => files.listTo(real, depth));
	}

	remove(path: string, options: { recursive?: boolean } = {}): Promise<void> {
		return this.#change(path, false, async (real, journal) => {
			const entry = await files.removePath(real, options.recursive ?? false);
			await journal.record({
				path: real,
				kind: 'remove',
				mode: entry.kind === 'directory' ? Mode.directory : Mode.file
			});
		});
	}

	rename(from: string, to: string): Promise<void> {
		return this.#change(from, false, async (real, journal, { rules }) => {
			const target = await toReal(rules, to, false);
			const entry = await statOrNothing(real);
			if (entry) await files.makeParents(target);
			await fs.rename(real, target);
			const mode = entry?.kind === 'directory' ? Mode.directory : fileMode(entry?.mode ?? 0);
			await journal.record({ path: real, kind: 'rename', mode, to: target });
		});
	}

	makeDirectory(path: string): Promise<void> {
		return this.#change(path, true, async (real, journal) => {
			if ((await statOrNothing(real))?.kind === 'directory') return;
			await files.makeParents(real);
			await fs.mkdir(real);
			await journal.record({ path: real, kind: 'mkdir', mode: Mode.directory });
		});
	}

	readLink(path: string): Promise<string> {
		return this.#at(path, false, (real) => fs.readlink(real));
	}

	symlink(target: string, path: string): Promise<void> {
		return this.#change(path, false, async (real, journal) => {
			await files.makeLink(target, real);
			await journal.record({
				path: real,
				kind: 'symlink',
				mode: Mode.symlink,
				bytes: new TextEncoder().encode(target)
			});
		});
	}

	setMode(path: string, mode: number): Promise<void> {
		return this.#change(path, true, async (real, journal) => {
			await fs.chmod(real, mode & 0o777);
			const isDirectory = (await fs.stat(real)).isDirectory();
			const gitMode = isDirectory ? Mode.directory : fileMode(mode);
			await journal.record({ path: real, kind: 'mode', mode: gitMode });
		});
	}

	async load(entries: AsyncIterable<contract.LoadEntry>, options: contract.LoadOptions = {}): Promise<void> {
		const { rules } = await this.#open();
		const root = await toReal(rules, options.root ?? rules.workingDirectory, true);
		for await (const { path, mode, bytes } of entries) {
			const isLink = (mode & 0o170000) === Mode.symlink;
			const place = join(root, requireEntryPath(path, options));
			await this.#change(place, false, async (real, journal) => {
				refuseLinkOnTheWay(path, place, real);
				if (isLink) await files.replaceLink(new TextDecoder().decode(bytes), real);
				else {
					if ((await statOrNothing(real))?.kind === 'symlink') await fs.rm(real);
					await files.writeAtomically(real, bytes);
					await fs.chmod(real, mode & 0o100 ? 0o755 : 0o644);
				}
				const gitMode = isLink ? Mode.symlink : fileMode(mode);
				await journal.record({ path: real, kind: isLink ? 'symlink' : 'write', mode: gitMode, bytes });
			});
		}
	}

	onChange(listener: (change: contract.FileChange) => void): () => void {
		const own = (change: contract.FileChange): void => listener(change);
		this.#earlyListeners.add(own);
		return () => this.#earlyListeners.delete(own);
	}

	/** Absent before {@link initialize}, and if this machine has no sandbox or cannot overlay the roots. */
	get runOnTrial(): ((command: string, options?: contract.ExecOptions) => Promise<contract.Trial>) | undefined {
		if (!this.#runner?.runsTrials) return undefined;
		return async (command, options = {}) => {
			const { runner } = await this.#open();
			return runner.runOnTrial(command, options, (work) =>
				this.#change('.', true, async (_real, journal) => {
					const value = await work();
					await journal.scan();
					return value;
				})
			);
		};
	}

	async exec(command: string, options: contract.ExecOptions = {}): Promise<contract.ExecResult> {
		const { runner } = await this.#open();
		if (options.signal?.aborted) return { stdout: '', stderr: '', exitCode: 130, timedOut: false, durationMs: 0 };
		const { stdin = '', ...rest } = options;
		const running = await runner.start(command, { ...rest, input: stdin.length > 0 ? 'open' : 'none' });
		// A command need not read all of its input.
		await running.write(stdin).catch(() => undefined);
		await running.closeInput();
		const result = await running.exited;
		await this.#scanned();
		return result;
	}

	async start(command: string, options: contract.ExecOptions = {}): Promise<contract.Process> {
		const { runner } = await this.#open();
		const { stdin, ...rest } = options;
		const running = await runner.start(command, rest);
		if (stdin !== undefined) await running.write(stdin);
		void running.exited.then(() => this.#scanned()).catch(() => undefined);
		return running;
	}

	async openTerminal(size: contract.TerminalSize): Promise<contract.Terminal> {
		const { rules, runner } = await this.#open();
		const place = { program: runner.shell, cwd: rules.workingDirectory, env: runner.variables() };
		const { open, notice } = this.options.terminals ?? {};
		const terminal = open ? open({ ...place, args: INTERACTIVE }, size) : await PipedTerminal.open(size, place, notice);
		this.#terminals.add(terminal);
		void terminal.exited
			.then(() => {
				this.#terminals.delete(terminal);
				return this.#scanned();
			})
			.catch(() => undefined);
		return terminal;
	}

	async grep(pattern: string, path: string, options: contract.GrepOptions = {}): Promise<string> {
		return this.#at(path, true, async (target, { rules }) => {
			await fs.access(target);
			const ripgrep = this.options.ripgrep === undefined ? 'rg' : this.options.ripgrep;
			const shown = path.startsWith('~') ? toAbsolute(rules, path) : path;
			return search.grep(pattern, { workingDirectory: rules.workingDirectory, target, shown, ripgrep }, options);
		});
	}

	glob(pattern: string, path: string): Promise<string[]> {
		return this.#at(path, true, async (target, { rules }) => {
			await fs.readdir(target);
			return search.glob(pattern, rules.workingDirectory, target);
		});
	}

	snapshot(): Promise<contract.Snapshot> {
		return this.#change('.', true, (_real, _journal, { snapshots }) => snapshots.take());
	}

	restore(snapshot: contract.Snapshot): Promise<void> {
		return this.#change('.', true, async (root, journal, { snapshots, tree }) => {
			await restoreTree({ root, tree }, snapshot, await snapshots.take(), (blob) => snapshots.read(blob));
			await journal.scan();
		});
	}

	async readBlob(blob: string): Promise<Uint8Array> {
		return (await this.#open()).snapshots.read(blob);
	}

	async overlay(common?: contract.Snapshot): Promise<contract.OverlayEnvironment> {
		await this.#open();
		return overlayOver(
			this,
			this.options,
			(place) => new LocalExecutionEnvironment({ ...this.options, ...place, servers: false }),
			common
		);
	}

	#open(): Promise<Opened> {
		if (this.#closed) return Promise.reject(new EnvironmentError('ECLOSED', 'This environment has been closed.'));
		this.#opened ??= this.#prepare().catch((error: unknown) => {
			this.#opened = undefined;
			throw new EnvironmentError('EUNAVAILABLE', `The directory cannot be used: ${toEnvironmentError(error).message}`);
		});
		return this.#opened;
	}

	async #prepare(): Promise<Opened> {
		hideOwnVariables();
		await fs.mkdir(this.options.workingDirectory, { recursive: true });
		const real = (path: string): Promise<string> => fs.realpath(path).catch(() => resolve(path));
		const workingDirectory = await real(this.options.workingDirectory);
		this.options.workingDirectory = workingDirectory;
		const home = await real(this.options.home ?? homedir());
		const roots = this.options.roots ?? [workingDirectory, home, tmpdir(), '/tmp'];
		const rules: PathRules = {
			workingDirectory,
			home,
			roots: await Promise.all(roots.map(real)),
			closed: await Promise.all((this.options.closed ?? []).map(real))
		};
		this.#runner = await CommandRunner.open(this.options, rules);
		const tree = new WorkspaceTree(workingDirectory);
		const journal = new Journal(workingDirectory, journalTree(workingDirectory, tree));
		await journal.start();
		journal.subscribe((change) => {
			for (const listener of this.#earlyListeners) {
				try {
					listener(change);
				} catch {
					// As in the journal: if one listener throws, the others are still notified.
				}
			}
		});
		return { rules, journal, tree, snapshots: new SnapshotStore(workingDirectory, tree), runner: this.#runner };
	}

	async #close(): Promise<void> {
		this.#servers?.stop();
		this.#diagnostics?.close();
		this.#language?.close();
		const opened = await this.#opened?.catch(() => undefined);
		await Promise.all([...this.#terminals].map((terminal) => terminal.close()));
		await opened?.runner.close();
		await this.#queue.catch(() => undefined);
		await opened?.snapshots.dispose();
	}

	async #at<T>(path: string, follow: boolean, work: (real: string, opened: Opened) => Promise<T>): Promise<T> {
		const opened = await this.#open();
		try {
			return await work(await toReal(opened.rules, path, follow), opened);
		} catch (error) {
			throw toEnvironmentError(error, path);
		}
	}

	#change<T>(
		path: string,
		follow: boolean,
		work: (real: string, journal: Journal, opened: Opened) => Promise<T>
	): Promise<T> {
		return this.#at(path, follow, (real, opened) => this.#inTurn(() => work(real, opened.journal, opened)));
	}

	#inTurn<T>(work: () => Promise<T>): Promise<T> {
		const turn = this.#queue.then(work, work);
		this.#queue = turn.catch(() => undefined);
		return turn;
	}

	async #scanned(): Promise<void> {
		const opened = await this.#opened;
		if (opened && !this.#closed) await this.#inTurn(() => opened.journal.scan());
	}
}

interface Opened {
	rules: PathRules;
	journal: Journal;
	tree: WorkspaceTree;
	snapshots: SnapshotStore;
	runner: CommandRunner;
}
