import type { WebContainer } from '@webcontainer/api';
import * as z from 'zod/mini';
import type * as contract from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { sliceLines } from '../lines.ts';
import { Journal } from '../tree/journal.ts';
import type { JournalTree } from '../tree/journal.ts';
import { MergingOverlay } from '../wrappers/overlay.ts';
import { inBatches } from './batches.ts';
import { bootWebContainer } from './boot.ts';
import { ContainerCommand, type CommandPlace } from './command.ts';
import { ContainerFiles } from './files.ts';
import { journalTree } from './journal-tree.ts';
import { rulesFor, rulesForOverlay, WORKDIR_NAME, type PathRules } from './layout.ts';
import { Machine } from './machine.ts';
import { planRestore } from './restore.ts';
import { ContainerSearch } from './search.ts';
import { ContainerServers, type ContainerServer } from './servers.ts';
import { ContainerSnapshots } from './snapshots.ts';
import { ContainerTerminal } from './terminal.ts';
import { WatchedScans } from './watched-scans.ts';

/** How long an orderly end may take. */
const CLOSING_MS = 8_000;

export interface WebContainerOptions {
	/** Default: {@link bootWebContainer}. */
	boot?: () => Promise<WebContainer>;
	/** An overlay's: a place in a machine that somebody else started and will end. */
	place?: { machine: Machine; rules: PathRules };
}

/**
 * StackBlitz's runtime, which the browser loads from their servers. Its file interface moves bytes; for
 * links, modes, times and whole trees a small program of ours runs in its Node.
 *
 * Limits: a command that names a path outside the working directory keeps to nothing of ours, and how
 * much of a shell `jsh` is, is theirs.
 */
export class WebContainerExecutionEnvironment implements contract.ExecutionEnvironment {
	readonly #listeners = new Set<(change: contract.FileChange) => void>();
	readonly #commands = new Set<ContainerCommand>();
	readonly #terminals = new Set<ContainerTerminal>();
	readonly #servers = new ContainerServers();
	#opened: Promise<Opened> | undefined;
	#closed: Promise<void> | undefined;
	#workingDirectory: string;
	#osVersion = 'WebContainer';

	constructor(private readonly options: WebContainerOptions = {}) {
		this.#workingDirectory = options.place?.rules.workingDirectory ?? `/home/${WORKDIR_NAME}/workspace`;
	}

	async initialize(): Promise<void> {
		await this.#open();
	}

	cleanup(): Promise<void> {
		this.#closed ??= this.#close();
		return this.#closed;
	}

	workingDirectory(): string {
		return this.#workingDirectory;
	}

	platform(): 'linux' {
		return 'linux';
	}

	osVersion(): string {
		return this.#osVersion;
	}

	async readFile(path: string, range?: contract.LineRange): Promise<string> {
		return sliceLines(new TextDecoder().decode(await this.readBytes(path)), range);
	}

	async readBytes(path: string): Promise<Uint8Array> {
		return (await this.#open()).files.readBytes(path);
	}

	async writeFile(path: string, content: string | Uint8Array): Promise<void> {
		const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
		await (await this.#open()).files.write(path, bytes);
	}

	async fileExists(path: string): Promise<boolean> {
		return (await this.#open()).files.exists(path);
	}

	async stat(path: string): Promise<contract.FileStat> {
		return (await this.#open()).files.stat(path);
	}

	async listDirectory(path: string, depth: number): Promise<contract.DirEntry[]> {
		return (await this.#open()).files.list(path, depth);
	}

	async remove(path: string, options: { recursive?: boolean } = {}): Promise<void> {
		await (await this.#open()).files.remove(path, options.recursive ?? false);
	}

	async rename(from: string, to: string): Promise<void> {
		await (await this.#open()).files.rename(from, to);
	}

	async makeDirectory(path: string): Promise<void> {
		await (await this.#open()).files.makeDirectory(path);
	}

	async readLink(path: string): Promise<string> {
		return (await this.#open()).files.readLink(path);
	}

	async symlink(target: string, path: string): Promise<void> {
		await (await this.#open()).files.symlink(target, path);
	}

	async setMode(path: string, mode: number): Promise<void> {
		await (await this.#open()).files.setMode(path, mode);
	}

	async load(entries: AsyncIterable<contract.LoadEntry>): Promise<void> {
		await (await this.#open()).files.load(entries);
	}

	onChange(listener: (change: contract.FileChange) => void): () => void {
		// Each subscription is its own, also of the same function.
		const own = (change: contract.FileChange): void => listener(change);
		this.#listeners.add(own);
		return () => this.#listeners.delete(own);
	}

	async exec(command: string, options: contract.ExecOptions = {}): Promise<contract.ExecResult> {
		await this.#open();
		if (options.signal?.aborted) return { stdout: '', stderr: '', exitCode: 130, timedOut: false, durationMs: 0 };
		const running = await this.#command(command, { ...options, stdin: options.stdin ?? '' });
		const result = await running.exited;
		await this.#scanned();
		return result;
	}

	async start(command: string, options: contract.ExecOptions = {}): Promise<contract.Process> {
		const { watched } = await this.#open();
		const { stdin, ...rest } = options;
		const running = await this.#command(command, rest);
		watched.during(running.exited);
		if (stdin !== undefined) await running.write(stdin);
		return running;
	}

	async openTerminal({ columns, rows }: contract.TerminalSize): Promise<contract.Terminal> {
		const { machine, rules, watched } = await this.#open();
		const terminal = new ContainerTerminal(
			await machine.spawnShell(rules.workingDirectory, {
				env: variables(rules),
				terminal: { cols: columns, rows }
			})
		);
		this.#terminals.add(terminal);
		watched.during(terminal.exited);
		void terminal.exited.then(() => this.#terminals.delete(terminal));
		return terminal;
	}

	/** Tells of each server that listens in the container and is ready, those that are now at once. An overlay's has none. */
	onServerReady(listener: (server: ContainerServer) => void): () => void {
		return this.#servers.onReady(listener);
	}

	async grep(pattern: string, path: string, options: contract.GrepOptions = {}): Promise<string> {
		return (await this.#open()).search.grep(pattern, path, options);
	}

	async glob(pattern: string, path: string): Promise<string[]> {
		return (await this.#open()).search.glob(pattern, path);
	}

	async snapshot(): Promise<contract.Snapshot> {
		const { files, snapshots } = await this.#open();
		return files.inTurn(() => snapshots.take());
	}

	async restore(snapshot: contract.Snapshot): Promise<void> {
		const { files, journal, machine, rules, snapshots, tree } = await this.#open();
		await files.inTurn(async () => {
			const root = rules.workingDirectory;
			const plan = planRestore(snapshot, await snapshots.take(), await tree.walk(root));
			// All blobs are read first: a missing one must not leave half a restore.
			const entries = plan.write.map(({ path, mode, blob }) => ({ path, mode, bytes: snapshots.read(blob) }));
			const { remove, directories } = plan;
			await machine.questions.ask('reshape', { root, remove, directories }, z.unknown());
			for await (const batch of inBatches(entries)) await files.place(batch);
			await journal.scan();
		});
	}

	async readBlob(blob: string): Promise<Uint8Array> {
		return (await this.#open()).snapshots.read(blob);
	}

	async overlay(common?: contract.Snapshot): Promise<contract.OverlayEnvironment> {
		const { files, machine, rules } = await this.#open();
		const directory = await files.inTurn(() => machine.copyForOverlay(rules.workingDirectory));
		const place = { machine, rules: rulesForOverlay(rules, directory) };
		const copy = new WebContainerExecutionEnvironment({ place });
		return new MergingOverlay(this, copy, common ?? (await copy.snapshot()), async () => {
			// With the machine gone, so is the copy.
			if (!this.#closed) await machine.discard(directory);
		});
	}

	#open(): Promise<Opened> {
		if (this.#closed) return Promise.reject(new EnvironmentError('ECLOSED', 'This environment has been closed.'));
		this.#opened ??= this.#prepare().catch((error: unknown) => {
			this.#opened = undefined;
			throw error;
		});
		return this.#opened;
	}

	async #prepare(): Promise<Opened> {
		const { machine, rules } = this.options.place ?? (await this.#startMachine());
		const tree = journalTree(machine);
		const journal = new Journal(rules.workingDirectory, tree);
		await journal.start();
		journal.subscribe((change) => this.#tell(change));
		const files = new ContainerFiles(machine, rules, journal);
		const watched = new WatchedScans(
			(changed) => machine.watch(rules.workingDirectory, changed),
			() => this.#scanned().catch(() => undefined)
		);
		const search = new ContainerSearch(files, tree);
		const snapshots = new ContainerSnapshots(rules.workingDirectory, tree);
		this.#workingDirectory = rules.workingDirectory;
		this.#osVersion = `WebContainer, Node ${machine.nodeVersion.replace(/^v/, '')}`;
		return { files, journal, machine, rules, search, snapshots, tree, watched };
	}

	async #startMachine(): Promise<{ machine: Machine; rules: PathRules }> {
		const container = await (this.options.boot ?? bootWebContainer)();
		try {
			const machine = await Machine.start(container);
			this.#servers.watch(container);
			return { machine, rules: rulesFor(machine.directory) };
		} catch (error) {
			container.teardown();
			throw error;
		}
	}

	async #close(): Promise<void> {
		const opened = await this.#opened?.catch(() => undefined);
		if (!opened) return;
		opened.watched.stop();
		this.#servers.stop();
		// A container that does not answer any more is torn down all the same.
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSING_MS)));
		await Promise.race([this.#endAll(opened), late]);
		clearTimeout(timer);
		if (!this.options.place) opened.machine.teardown();
	}

	async #endAll({ files }: Opened): Promise<void> {
		await Promise.all([...this.#terminals].map((terminal) => terminal.close()));
		await Promise.all([...this.#commands].map((command) => command.kill()));
		await files.inTurn(async () => undefined);
	}

	#tell(change: contract.FileChange): void {
		for (const listener of this.#listeners) {
			try {
				listener(change);
			} catch {
				// As in the journal: a listener's fault is its own.
			}
		}
	}

	async #scanned(): Promise<void> {
		const opened = await this.#opened;
		if (opened && !this.#closed) await opened.files.inTurn(() => opened.journal.scan());
	}

	async #command(command: string, options: contract.ExecOptions): Promise<ContainerCommand> {
		const { files, machine, rules } = await this.#open();
		const { cwd = '.', stdin, ...rest } = options;
		const { real, entry } = await files.find(cwd, true);
		if (entry.kind !== 'directory') throw new EnvironmentError('ENOTDIR', `This is not a directory: ${cwd}`, cwd);
		const place: CommandPlace = { cwd: real, variables: variables(rules), stdin };
		const running = await ContainerCommand.start(machine, command, place, rest);
		this.#commands.add(running);
		void running.exited.then(() => this.#commands.delete(running));
		return running;
	}
}

const variables = ({ home }: PathRules): Record<string, string> => ({ HOME: home });

interface Opened {
	files: ContainerFiles;
	journal: Journal;
	machine: Machine;
	rules: PathRules;
	search: ContainerSearch;
	snapshots: ContainerSnapshots;
	tree: JournalTree;
	watched: WatchedScans;
}
