import type {
	ExecOptions,
	ExecResult,
	ExecutionEnvironment,
	LocalServers,
	Snapshot,
	Terminal,
	TerminalSize
} from '#environment/contract.ts';
import { serversOf } from '#environment/remote/servers.ts';
import { moveTree } from '#environment/tree/move.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';
import { SharedRun } from '#workspace/shared-run.ts';
import type { LeftAlone } from './left-alone.ts';
import type { Sides } from './push-files.ts';
import { ReachedServers } from './reached-servers.ts';
import { WatchedTerminal } from './watched-terminal.ts';

interface MirrorOptions extends Sides {
	/** Resolves when everything in the tab is stored. */
	flush: () => Promise<void>;
	/** Called if changes on the machine could not be copied to the tab. */
	onFailure: (error: unknown) => void;
}

/**
 * Environment on a machine whose files are mirrored in the tab: each change there is copied to the computer in the tab,
 * which stores it. So every tree in the session comes from the tab, whichever side took it: checkpoints, changes and
 * going back work on both sides, and a lost machine loses only what was not yet copied.
 *
 * Must be created only when both sides have the same files or the tab's are to be replaced: never before a push has
 * ended.
 */
export class MirroredEnvironment extends DelegatingEnvironment {
	/** The computer in the tab, where no process runs meanwhile. */
	readonly home: ExecutionEnvironment;
	readonly #leftAlone: LeftAlone;
	readonly #flush: () => Promise<void>;
	readonly #unsubscribe: () => void;
	#loopback: LocalServers | undefined;
	/** Id of the machine's tree that the tab has. */
	#mirrored: string | null = null;
	readonly #pulls = new SharedRun(() => this.#pull());

	constructor({ there, home, leftAlone, flush, onFailure }: MirrorOptions) {
		super(there);
		this.home = home;
		this.#leftAlone = leftAlone;
		this.#flush = flush;
		this.#unsubscribe = there.onChange(() => void this.pull().catch(onFailure));
	}

	/** Servers on the machine; programs in the tab have ended. */
	override get loopback(): LocalServers | undefined {
		const servers = serversOf(this.inner);
		if (servers) this.#loopback ??= new ReachedServers(servers);
		return this.#loopback;
	}

	/** Makes the tab's files equal to the machine's current files. Returns the number of files copied. */
	pull(): Promise<number> {
		return this.#pulls.next();
	}

	/** Leaves the machine and ends its processes; the tab keeps its files. */
	async leave(): Promise<void> {
		this.#unsubscribe();
		await this.inner.cleanup();
	}

	override async cleanup(): Promise<void> {
		await this.leave();
		await this.home.cleanup();
	}

	override async exec(command: string, options?: ExecOptions): Promise<ExecResult> {
		const result = await super.exec(command, options);
		// The next change and the session's next flush repeat what fails here, and report it.
		await this.pull()
			.then(this.#flush)
			.catch(() => undefined);
		return result;
	}

	/** Returns the output of a command that changes no files: nothing is copied afterwards. */
	async ask(command: string): Promise<string> {
		return (await this.inner.exec(command)).stdout;
	}

	/** Checks for changes when the terminal is silent; after a command, the machine does so itself. */
	override async openTerminal(size: TerminalSize): Promise<Terminal> {
		// A lost machine is reported by its connection.
		const look = (): void => void this.inner.exec(':').catch(() => undefined);
		return new WatchedTerminal(await super.openTerminal(size), look);
	}

	/** Takes a snapshot of the mirrored tree, including directories that are not copied. */
	override async snapshot(): Promise<Snapshot> {
		await this.pull();
		return this.home.snapshot();
	}

	override readBlob(blob: string): Promise<Uint8Array> {
		return this.home.readBlob(blob);
	}

	async #pull(): Promise<number> {
		const tree = await this.inner.snapshot();
		if (tree.id === this.#mirrored) return 0;
		const before = await this.home.snapshot();
		const isLeftAlone = await this.#leftAlone.in(before, tree);
		const { files } = await moveTree(this.inner, this.home, { tree, before, isLeftAlone });
		this.#mirrored = tree.id;
		return files;
	}
}
