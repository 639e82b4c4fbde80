import type * as contract from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { INTERACTIVE, PipedTerminal, terminalVariables, type PipedShell } from '../local/terminal.ts';
import { DeviceTerminal } from '../local/device-terminal.ts';
import { commandVariables, type VariablePolicy } from '../local/variables.ts';
import { requireAllRights } from '../rights.ts';
import { Journal } from '../tree/journal.ts';
import type { RestorePlan } from '../tree/restore.ts';
import { TreeSnapshots } from '../tree/snapshots.ts';
import { WalkedEnvironment, type WalkedPlace } from '../tree/walked-environment.ts';
import type { MachineEgress } from '../remote/egress.ts';
import type { MachineServers } from '../remote/servers.ts';
import { MergingOverlay } from '../wrappers/overlay.ts';
import { splitParts } from './answers.ts';
import type { AnswerLimits } from './collected.ts';
import { PrefixEgress } from './egress.ts';
import type { EgressAuthority } from './egress-tunnels.ts';
import type { ExecChannel } from './exec-channel.ts';
import { RemoteCommand, type CommandPlace } from './command.ts';
import { RemoteFiles } from './files.ts';
import { Prefix } from './prefix.ts';
import { lookAround, Remote, type Opening } from './remote.ts';
import { RemoteSearch } from './search.ts';
import { PrefixServerPorts } from './servers.ts';
import { openDevice } from './terminal.ts';
import { RemoteTree } from './tree.ts';

export interface PrefixEnvironmentOptions {
	/**
	 * Words before every command, such as `['docker', 'exec', '-i', 'box']` or `['ssh', 'me@host']`, or another channel.
	 */
	prefix: readonly string[] | ExecChannel;
	/** Remote path, absolute; created if missing. */
	workingDirectory: string;
	/** Remote directory of `~`. Default: `$HOME` there. */
	home?: string;
	/**
	 * Remote directories where files may be read and written. Default: the working directory, the home and
	 * `/tmp`.
	 */
	roots?: readonly string[];
	/** Excluded directories within the roots. */
	closed?: readonly string[];
	/** Remote variables visible to commands; those that look like secrets are left out by default. */
	variables?: VariablePolicy;
	/** Default: `bash` if it is installed, otherwise `sh`. */
	shell?: string;
	/** `false` searches without the remote ripgrep. */
	ripgrep?: boolean;
	/** The other side has its own network, whose servers all belong to the session: they are shown and can be reached. */
	servers?: boolean;
	/**
	 * The other side has no network: its programs get a proxy; {@link PrefixExecutionEnvironment.egress} provides their
	 * requests.
	 */
	egress?: boolean;
	/**
	 * Creates a certificate authority that these programs trust, so that they can use `https://` through the proxy; if
	 * absent, only `http://` works.
	 */
	createAuthority?: (() => Promise<EgressAuthority>) | undefined;
	/** Limit for snapshot contents in this process's memory, in bytes. Default 256 MB. */
	snapshotBytes?: number;
	/** Limits for each answer of the other side. */
	limits?: Partial<AnswerLimits> | undefined;
}

const SNAPSHOT_BYTES = 256 * 1024 * 1024;

/**
 * Tools on another machine or in a container, reached by a prefix before every command (000 §4.3): `docker exec -i …`,
 * `kubectl exec -i … --`, `ssh …`. Requires a POSIX shell, `tar`, and GNU's or BusyBox's `stat`, `find`, `env` and
 * `readlink` on the other side.
 *
 * Each call starts the prefix again, so connections should be shared (`ssh -o ControlMaster=auto`). The journal reports
 * own writes immediately, and changes by commands when they end.
 *
 * Limits: names that contain line breaks are not listed. This process keeps 256 MB of snapshot contents, so older
 * snapshots may not be restorable. Behind a spawned prefix, the terminal is not a terminal device.
 */
export class PrefixExecutionEnvironment extends WalkedEnvironment<Opened> {
	readonly #commands = new Set<RemoteCommand>();
	readonly #terminals = new Set<contract.Terminal>();
	#workingDirectory: string;
	#system = { name: 'Linux', release: '' };
	#servers: PrefixServerPorts | undefined;
	#egress: PrefixEgress | undefined;

	constructor(private readonly options: PrefixEnvironmentOptions) {
		super();
		this.#workingDirectory = options.workingDirectory;
	}

	workingDirectory(): string {
		return this.#workingDirectory;
	}

	/** Absent before {@link initialize}, and unless enabled by the options. */
	get servers(): MachineServers | undefined {
		return this.#servers;
	}

	/**
	 * Absent before {@link initialize}, unless enabled by the options, and if no program on the other side can listen.
	 */
	get egress(): MachineEgress | undefined {
		return this.#egress;
	}

	platform(): 'linux' | 'darwin' {
		return this.#system.name === 'Darwin' ? 'darwin' : 'linux';
	}

	osVersion(): string {
		return `${this.#system.name} ${this.#system.release}`.trim();
	}

	async exec(command: string, options: contract.ExecOptions = {}): Promise<contract.ExecResult> {
		await this.open();
		requireAllRights(options.rights);
		if (options.signal?.aborted) return { stdout: '', stderr: '', exitCode: 130, timedOut: false, durationMs: 0 };
		const { stdin = '', ...rest } = options;
		const running = await this.#command(command, rest);
		// A command need not read all of its input.
		await running.write(stdin).catch(() => undefined);
		await running.closeInput();
		const result = await running.exited;
		await this.scanned();
		return result;
	}

	async start(command: string, options: contract.ExecOptions = {}): Promise<contract.Process> {
		requireAllRights(options.rights);
		const { stdin, ...rest } = options;
		const running = await this.#command(command, rest);
		if (stdin !== undefined) await running.write(stdin);
		void running.exited.then(() => this.scanned()).catch(() => undefined);
		return running;
	}

	async openTerminal(size: contract.TerminalSize): Promise<contract.Terminal> {
		const { opening, remote } = await this.open();
		const place = placeOf(opening, this.options, opening.rules.workingDirectory, this.#egress?.variables);
		const device = openDevice(remote.prefix, place, size);
		if (device) return this.#opened(new DeviceTerminal(device));
		return this.#openPiped(opening, size);
	}

	async #openPiped(opening: Opening, size: contract.TerminalSize): Promise<contract.Terminal> {
		const heard: { take?: (data: string) => void; early: string } = { early: '' };
		const interactive = opening.hasBash ? `exec bash ${INTERACTIVE.join(' ')}` : 'exec sh -i';
		const shell = await this.#command(interactive, {
			env: terminalVariables(size),
			onOutput: ({ data }) => {
				if (heard.take) heard.take(data);
				else heard.early += data;
			}
		});
		const piped: PipedShell = {
			onData: (take) => {
				heard.take = take;
				if (heard.early) take(heard.early);
			},
			write: (data) => void shell.write(data).catch(() => undefined),
			closeInput: () => void shell.closeInput(),
			interrupt: () => void shell.signal('SIGINT'),
			hangUp: () => shell.kill('SIGHUP'),
			exited: shell.exited.then(({ exitCode }) => exitCode)
		};
		return this.#opened(new PipedTerminal(piped));
	}

	#opened(terminal: contract.Terminal): contract.Terminal {
		this.#terminals.add(terminal);
		void terminal.exited
			.then(() => {
				this.#terminals.delete(terminal);
				return this.scanned();
			})
			.catch(() => undefined);
		return terminal;
	}

	async overlay(common?: contract.Snapshot): Promise<contract.OverlayEnvironment> {
		const { files, remote } = await this.open();
		const [directory = ''] = splitParts(await files.inTurn(() => remote.ask('copy', []))).parts;
		const { workingDirectory, home } = remote.rules;
		const copy = new PrefixExecutionEnvironment({
			...this.options,
			workingDirectory: `${directory}/workspace`,
			home,
			roots: [directory, '/tmp'],
			closed: [...remote.rules.closed, workingDirectory],
			// This environment's proxy serves the commands of its overlays too.
			variables: { ...this.options.variables, set: { ...this.#egress?.variables, ...this.options.variables?.set } },
			servers: false,
			egress: false
		});
		await copy.initialize();
		return new MergingOverlay(this, copy, common ?? (await copy.snapshot()), async () => {
			await remote.ask('discard', [directory]);
		});
	}

	protected async prepare(): Promise<Opened> {
		const prefix = await Prefix.open(this.options.prefix);
		const opening = await lookAround(prefix, this.options);
		const { rules } = opening;
		this.#workingDirectory = rules.workingDirectory;
		this.#system = { name: opening.system, release: opening.release };
		const remote = new Remote(prefix, rules, this.options.limits);
		if (this.options.egress)
			this.#egress = await PrefixEgress.start(prefix, { authority: await this.options.createAuthority?.() });
		if (this.options.servers) this.#servers = new PrefixServerPorts(prefix, this.#egress?.port);
		const tree = new RemoteTree(remote);
		const journal = new Journal(rules.workingDirectory, tree);
		await journal.start();
		const files = new RemoteFiles(remote, journal);
		const search = new RemoteSearch(remote, files, tree, opening.hasRipgrep && this.options.ripgrep !== false);
		const snapshots = new TreeSnapshots(rules.workingDirectory, tree, this.options.snapshotBytes ?? SNAPSHOT_BYTES);
		return { root: rules.workingDirectory, opening, remote, tree, journal, files, search, snapshots };
	}

	protected async end(place: Opened | undefined): Promise<void> {
		this.#servers?.stop();
		this.#egress?.stop();
		await Promise.all([...this.#terminals].map((terminal) => terminal.close()));
		await Promise.all([...this.#commands].map((command) => command.kill()));
		await place?.files.inTurn(async () => undefined);
	}

	protected async reshape({ remote }: Opened, plan: Pick<RestorePlan, 'remove' | 'directories'>): Promise<void> {
		const lines = [...plan.remove.map((path) => `r${path}`), ...plan.directories.map((path) => `d${path}`)];
		if (lines.length > 0) await remote.ask('reshape', [], { stdin: `${lines.join('\n')}\n` });
	}

	async #command(command: string, options: contract.ExecOptions): Promise<RemoteCommand> {
		const { files, opening, remote } = await this.open();
		const cwd = options.cwd === undefined ? opening.rules.workingDirectory : await this.#directory(files, options.cwd);
		const running = new RemoteCommand(
			remote.prefix,
			command,
			placeOf(opening, this.options, cwd, this.#egress?.variables),
			options
		);
		this.#commands.add(running);
		void running.exited.then(() => {
			if (!running.hasLeftovers()) this.#commands.delete(running);
		});
		await running.whenStarted();
		return running;
	}

	async #directory(files: RemoteFiles, cwd: string): Promise<string> {
		const { real, entry } = await files.find(cwd, true);
		if (entry.kind !== 'directory') throw new EnvironmentError('ENOTDIR', `This is not a directory: ${cwd}`, cwd);
		return real;
	}
}

function placeOf(
	{ hasBash, variables }: Opening,
	options: PrefixEnvironmentOptions,
	cwd: string,
	proxy: Readonly<Record<string, string>> = {}
): CommandPlace {
	const { set: own = {}, ...policy } = options.variables ?? {};
	const set = { ...proxy, ...own };
	const kept = commandVariables(variables, policy);
	return {
		shell: options.shell ?? (hasBash ? 'bash' : 'sh'),
		cwd,
		set: options.home === undefined ? set : { HOME: options.home, ...set },
		unset: Object.keys(variables).filter((name) => !(name in kept))
	};
}

interface Opened extends WalkedPlace {
	opening: Opening;
	remote: Remote;
	files: RemoteFiles;
}
