import type { WebContainer } from '@webcontainer/api';
import * as z from 'zod/mini';
import type * as contract from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { requireAllRights } from '../rights.ts';
import { Journal } from '../tree/journal.ts';
import type { RestorePlan } from '../tree/restore.ts';
import { TreeSnapshots } from '../tree/snapshots.ts';
import { WalkedEnvironment, type WalkedPlace } from '../tree/walked-environment.ts';
import { MergingOverlay } from '../wrappers/overlay.ts';
import { bootWebContainer } from './boot.ts';
import { ContainerCommand, type CommandPlace } from './command.ts';
import { ContainerFiles } from './files.ts';
import { journalTree } from './journal-tree.ts';
import { rulesFor, rulesForOverlay, WORKDIR_NAME, type PathRules } from './layout.ts';
import { BootedContainer } from './booted-container.ts';
import { ContainerSearch } from './search.ts';
import { ContainerServers, type ContainerServer } from './servers.ts';
import { ContainerTerminal } from './terminal.ts';
import { WatchedScans } from './watched-scans.ts';

/** Time limit for an orderly shutdown. */
const CLOSING_MS = 8_000;

export interface WebContainerOptions {
	/** Default: {@link bootWebContainer}. */
	boot?: () => Promise<WebContainer>;
	/** Location of an overlay: in a container that its base has started and will end. */
	place?: { booted: BootedContainer; rules: PathRules };
}

/**
 * StackBlitz's runtime, which the browser loads from their servers. Its file API transfers bytes; for links, modes,
 * times and whole trees one of our small programs runs in its Node.
 *
 * Limits: nothing confines a command that names a path outside the working directory, and the shell can do only what
 * StackBlitz's `jsh` supports.
 */
export class WebContainerExecutionEnvironment extends WalkedEnvironment<Opened> {
	readonly #commands = new Set<ContainerCommand>();
	readonly #terminals = new Set<ContainerTerminal>();
	readonly #servers = new ContainerServers();
	#workingDirectory: string;
	#osVersion = 'WebContainer';

	constructor(private readonly options: WebContainerOptions = {}) {
		super();
		this.#workingDirectory = options.place?.rules.workingDirectory ?? `/home/${WORKDIR_NAME}/workspace`;
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

	async exec(command: string, options: contract.ExecOptions = {}): Promise<contract.ExecResult> {
		await this.open();
		requireAllRights(options.rights);
		if (options.signal?.aborted) return { stdout: '', stderr: '', exitCode: 130, timedOut: false, durationMs: 0 };
		const running = await this.#command(command, { ...options, stdin: options.stdin ?? '' });
		const result = await running.exited;
		await this.scanned();
		return result;
	}

	async start(command: string, options: contract.ExecOptions = {}): Promise<contract.Process> {
		const { watched } = await this.open();
		requireAllRights(options.rights);
		const { stdin, ...rest } = options;
		const running = await this.#command(command, rest);
		watched.during(running.exited);
		if (stdin !== undefined) await running.write(stdin);
		return running;
	}

	async openTerminal({ columns, rows }: contract.TerminalSize): Promise<contract.Terminal> {
		const { booted, rules, watched } = await this.open();
		const terminal = new ContainerTerminal(
			await booted.spawnShell(rules.workingDirectory, {
				env: variables(rules),
				terminal: { cols: columns, rows }
			})
		);
		this.#terminals.add(terminal);
		watched.during(terminal.exited);
		void terminal.exited.then(() => this.#terminals.delete(terminal));
		return terminal;
	}

	/** Notifies about each ready server in the container, including current ones. Overlays have none. */
	onServerReady(listener: (server: ContainerServer) => void): () => void {
		return this.#servers.onReady(listener);
	}

	async overlay(common?: contract.Snapshot): Promise<contract.OverlayEnvironment> {
		const { files, booted, rules } = await this.open();
		const directory = await files.inTurn(() => booted.copyForOverlay(rules.workingDirectory));
		const place = { booted, rules: rulesForOverlay(rules, directory) };
		const copy = new WebContainerExecutionEnvironment({ place });
		return new MergingOverlay(this, copy, common ?? (await copy.snapshot()), async () => {
			// If the container is gone, so is the copy.
			if (!this.isClosed) await booted.discard(directory);
		});
	}

	protected async prepare(): Promise<Opened> {
		const { booted, rules } = this.options.place ?? (await this.#boot());
		const tree = journalTree(booted);
		const journal = new Journal(rules.workingDirectory, tree);
		await journal.start();
		const files = new ContainerFiles(booted, rules, journal);
		const watched = new WatchedScans(
			(changed) => booted.watch(rules.workingDirectory, changed),
			() => this.scanned().catch(() => undefined)
		);
		const search = new ContainerSearch(files, tree);
		const snapshots = new TreeSnapshots(rules.workingDirectory, tree);
		this.#workingDirectory = rules.workingDirectory;
		this.#osVersion = `WebContainer, Node ${booted.nodeVersion.replace(/^v/, '')}`;
		return { root: rules.workingDirectory, files, journal, booted, rules, search, snapshots, tree, watched };
	}

	async #boot(): Promise<{ booted: BootedContainer; rules: PathRules }> {
		const container = await (this.options.boot ?? bootWebContainer)();
		try {
			const booted = await BootedContainer.start(container);
			this.#servers.watch(container);
			return { booted, rules: rulesFor(booted.directory) };
		} catch (error) {
			container.teardown();
			throw error;
		}
	}

	protected async end(opened: Opened | undefined): Promise<void> {
		if (!opened) return;
		opened.watched.stop();
		this.#servers.stop();
		// A container that no longer responds is torn down anyway.
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSING_MS)));
		await Promise.race([this.#endAll(opened), late]);
		clearTimeout(timer);
		if (!this.options.place) opened.booted.teardown();
	}

	async #endAll({ files }: Opened): Promise<void> {
		await Promise.all([...this.#terminals].map((terminal) => terminal.close()));
		await Promise.all([...this.#commands].map((command) => command.kill()));
		await files.inTurn(async () => undefined);
	}

	protected async reshape({ booted, root }: Opened, plan: Pick<RestorePlan, 'remove' | 'directories'>): Promise<void> {
		const { remove, directories } = plan;
		await booted.questions.ask('reshape', { root, remove, directories }, z.unknown());
	}

	async #command(command: string, options: contract.ExecOptions): Promise<ContainerCommand> {
		const { files, booted, rules } = await this.open();
		const { cwd = '.', stdin, ...rest } = options;
		const { real, entry } = await files.find(cwd, true);
		if (entry.kind !== 'directory') throw new EnvironmentError('ENOTDIR', `This is not a directory: ${cwd}`, cwd);
		const place: CommandPlace = { cwd: real, variables: variables(rules), stdin };
		const running = await ContainerCommand.start(booted, command, place, rest);
		this.#commands.add(running);
		void running.exited.then(() => this.#commands.delete(running));
		return running;
	}
}

const variables = ({ home }: PathRules): Record<string, string> => ({ HOME: home });

interface Opened extends WalkedPlace {
	files: ContainerFiles;
	booted: BootedContainer;
	rules: PathRules;
	watched: WatchedScans;
}
