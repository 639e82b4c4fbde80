import { concat } from '../concat.ts';
import type * as contract from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { OutputBuffer } from '../output-buffer.ts';
import { inBatches } from '../tree/batches.ts';
import {
	Connection,
	type CallEvent,
	type CallExtras,
	type ConnectionOptions,
	type ConnectionState,
	type RemoteCaller
} from './connection.ts';
import {
	fromWireSnapshot,
	toWireSnapshot,
	type CallArgs,
	type CallName,
	type CallResult,
	type CommandArgs,
	type Facts
} from './messages.ts';
import type { AnswerEgress } from './egress.ts';
import { RemoteProcess } from './process.ts';
import { RemoteServers } from './remote-servers.ts';
import type { MachineServers } from './servers.ts';
import { RemoteTerminal } from './terminal.ts';
import { RemoteTrial } from './trial.ts';

/** Time to wait until a machine has ended the running programs; its server does so later anyway. */
const CLEANUP_MS = 10_000;

/** Address of an environment: a connection and the environment's number on it. */
export interface RemotePlace {
	connection: Connection;
	environment: number;
	/** Absent before initialization. */
	facts?: Facts | undefined;
}

/** Environment on another machine, reached over channels that may break and be replaced. */
export class RemoteExecutionEnvironment implements contract.ExecutionEnvironment {
	protected readonly place: RemotePlace;
	readonly #listeners = new Set<(change: contract.FileChange) => void>();
	#closed: Promise<void> | undefined;
	readonly #servers: RemoteServers;

	constructor(place: ConnectionOptions | RemotePlace) {
		this.place = 'connection' in place ? place : { connection: new Connection(place), environment: 0 };
		const { connection, environment } = this.place;
		connection.listen(environment, (change) => this.#notify(change));
		this.#servers = new RemoteServers(async (port) => {
			const { id } = await this.#whole('connect', { port });
			return { id, caller: this.#caller };
		});
		connection.listenPorts(environment, (ports) => this.#servers.update(ports));
	}

	get connectionState(): ConnectionState {
		return this.place.connection.state;
	}

	async initialize(): Promise<void> {
		this.#requireOpen();
		if (this.place.facts) return;
		await this.place.connection.open();
		this.place.facts = await this.call('initialize', {});
	}

	/** Ends what runs on the machine; does not wait for a machine that is gone. */
	cleanup(): Promise<void> {
		this.#closed ??= this.#close();
		return this.#closed;
	}

	workingDirectory(): string {
		return this.#facts.workingDirectory;
	}

	platform(): ReturnType<contract.ExecutionEnvironment['platform']> {
		return this.#facts.platform;
	}

	osVersion(): string {
		return this.#facts.osVersion;
	}

	get description(): string | undefined {
		return this.place.facts?.description;
	}

	/** Absent before initialization, and if the machine's ports cannot be reached. */
	get servers(): MachineServers | undefined {
		return this.place.facts?.hasServers ? this.#servers : undefined;
	}

	/** Answers the requests of remote programs from now on, if they have a proxy. */
	async serveEgress(answer: AnswerEgress): Promise<void> {
		if (!this.#facts.hasEgress) return;
		const { connection, environment } = this.place;
		connection.listenEgress(environment, (of, request) => {
			const refuse = (message: string) => this.call('egressRefuse', { of, message });
			const reply = answer(request).then(
				({ body, ...rest }) =>
					this.call('egressAnswer', { of, ...rest }, { bytes: body }).catch(() => refuse(NOT_ANSWERED)),
				(error: unknown) => refuse(sentenceOf(error))
			);
			// No answer is needed if the machine is gone or the request no longer waits.
			reply.catch(() => undefined);
		});
		await this.call('egressServe', {});
	}

	get runOnTrial(): contract.ExecutionEnvironment['runOnTrial'] {
		if (!this.place.facts?.runsTrials) return undefined;
		return async (command, options = {}) => {
			const { id, value } = await this.#run('runOnTrial', command, options, outputTo(options));
			return new RemoteTrial(this.#caller, id, value.result, value.effects);
		};
	}

	readFile(path: string, range?: contract.LineRange): Promise<string> {
		return this.call('readFile', { path, range });
	}

	async readBytes(path: string): Promise<Uint8Array> {
		return (await this.#whole('readBytes', { path })).bytes.slice();
	}

	async writeFile(path: string, content: string | Uint8Array): Promise<void> {
		await this.call('writeFile', { path }, { bytes: toBytes(content) });
	}

	fileExists(path: string): Promise<boolean> {
		return this.call('fileExists', { path });
	}

	stat(path: string): Promise<contract.FileStat> {
		return this.call('stat', { path });
	}

	listDirectory(path: string, depth: number): Promise<contract.DirEntry[]> {
		return this.call('listDirectory', { path, depth });
	}

	async remove(path: string, { recursive = false }: { recursive?: boolean } = {}): Promise<void> {
		await this.call('remove', { path, recursive });
	}

	async rename(from: string, to: string): Promise<void> {
		await this.call('rename', { path: from, to });
	}

	async makeDirectory(path: string): Promise<void> {
		await this.call('makeDirectory', { path });
	}

	readLink(path: string): Promise<string> {
		return this.call('readLink', { path });
	}

	async symlink(target: string, path: string): Promise<void> {
		await this.call('symlink', { path, target });
	}

	async setMode(path: string, mode: number): Promise<void> {
		await this.call('setMode', { path, mode });
	}

	async load(entries: AsyncIterable<contract.LoadEntry>, options: contract.LoadOptions = {}): Promise<void> {
		this.#requireOpen();
		for await (const batch of inBatches(entries)) {
			const described = batch.map(({ path, mode, bytes }) => ({ path, mode, size: bytes.length }));
			await this.call('load', { ...options, entries: described }, { bytes: concat(batch.map(({ bytes }) => bytes)) });
		}
	}

	onChange(listener: (change: contract.FileChange) => void): () => void {
		// Each subscription is separate, even for the same function.
		const own = (change: contract.FileChange): void => listener(change);
		this.#listeners.add(own);
		return () => this.#listeners.delete(own);
	}

	async exec(command: string, options: contract.ExecOptions = {}): Promise<contract.ExecResult> {
		this.#requireOpen();
		if (options.signal?.aborted) return { stdout: '', stderr: '', exitCode: 130, timedOut: false, durationMs: 0 };
		const stdout = new OutputBuffer(options.maxOutputCharacters);
		const stderr = new OutputBuffer(options.maxOutputCharacters);
		const onEvent = outputTo(options, { stdout, stderr });
		const { value } = await this.#run('exec', command, { stdin: '', ...options }, onEvent);
		return { ...value, stdout: stdout.text(), stderr: stderr.text() };
	}

	async start(command: string, options: contract.ExecOptions = {}): Promise<contract.Process> {
		const running = new RemoteProcess(this.#caller, options);
		const args = toCommand(command, options);
		const { id, value } = await this.#whole('start', args, {
			bytes: toBytes(options.stdin ?? ''),
			signal: options.signal,
			onEvent: (event) => running.hear(event),
			onLost: () => running.lose()
		});
		running.begin(id, value.pid);
		return running;
	}

	async openTerminal(size: contract.TerminalSize): Promise<contract.Terminal> {
		const terminal = new RemoteTerminal(this.#caller);
		const { id } = await this.#whole('openTerminal', size, {
			onEvent: (event) => terminal.hear(event),
			onLost: () => terminal.lose()
		});
		terminal.begin(id);
		return terminal;
	}

	grep(pattern: string, path: string, { signal, ...options }: contract.GrepOptions = {}): Promise<string> {
		return this.call('grep', { pattern, path, options }, { signal });
	}

	glob(pattern: string, path: string): Promise<string[]> {
		return this.call('glob', { pattern, path });
	}

	async snapshot(): Promise<contract.Snapshot> {
		return fromWireSnapshot(await this.call('snapshot', {}));
	}

	async restore(snapshot: contract.Snapshot): Promise<void> {
		await this.call('restore', toWireSnapshot(snapshot));
	}

	async readBlob(blob: string): Promise<Uint8Array> {
		return (await this.#whole('readBlob', { blob })).bytes.slice();
	}

	async overlay(common?: contract.Snapshot): Promise<contract.OverlayEnvironment> {
		const args = { common: common && toWireSnapshot(common) };
		const { environment, facts, common: shared } = await this.call('overlay', args);
		const place = { connection: this.place.connection, environment, facts };
		return new RemoteOverlay(place, fromWireSnapshot(shared));
	}

	protected async call<Name extends CallName>(
		name: Name,
		args: CallArgs<Name>,
		extras?: CallExtras
	): Promise<CallResult<Name>> {
		return (await this.#whole(name, args, extras)).value;
	}

	/** Overlays share the connection with their base. */
	protected endConnection(): void {
		this.place.connection.close();
	}

	async #whole<Name extends CallName>(name: Name, args: CallArgs<Name>, extras?: CallExtras) {
		this.#requireOpen();
		return this.place.connection.call(this.place.environment, name, args, extras);
	}

	readonly #caller: RemoteCaller = (name, args, extras) =>
		this.place.connection.call(this.place.environment, name, args, extras);

	#run<Name extends 'exec' | 'runOnTrial'>(
		name: Name,
		command: string,
		options: contract.ExecOptions,
		onEvent: (event: CallEvent) => void
	) {
		const bytes = options.stdin === undefined ? undefined : toBytes(options.stdin);
		const args = toCommand(command, options) as CallArgs<Name>;
		return this.#whole(name, args, { bytes, signal: options.signal, onEvent });
	}

	async #close(): Promise<void> {
		const { connection, environment } = this.place;
		// On a machine that is lost or does not answer there is nothing left to end.
		if (connection.state === 'connected') {
			let timer: ReturnType<typeof setTimeout> | undefined;
			const late = new Promise((resolve) => (timer = setTimeout(resolve, CLEANUP_MS)));
			await Promise.race([connection.call(environment, 'cleanup', {}).catch(() => undefined), late]);
			clearTimeout(timer);
		}
		this.endConnection();
	}

	get #facts(): Facts {
		if (!this.place.facts) throw new EnvironmentError('EUNAVAILABLE', 'This machine has not been connected yet.');
		return this.place.facts;
	}

	#requireOpen(): void {
		if (this.#closed) throw new EnvironmentError('ECLOSED', 'This environment has been closed.');
	}

	#notify(change: contract.FileChange): void {
		for (const listener of this.#listeners) {
			try {
				listener(change);
			} catch {
				// If one listener throws, the others are still notified.
			}
		}
	}
}

/** Overlay on the machine, using the connection of its base. */
class RemoteOverlay extends RemoteExecutionEnvironment implements contract.OverlayEnvironment {
	#common: contract.Snapshot;

	constructor(place: RemotePlace, common: contract.Snapshot) {
		super(place);
		this.#common = common;
	}

	get common(): contract.Snapshot {
		return this.#common;
	}

	changes(): Promise<contract.OverlayChange[]> {
		return this.call('overlayChanges', {});
	}

	conflicts(): Promise<contract.OverlayChange[]> {
		return this.call('overlayConflicts', {});
	}

	async merge({ paths, overwrite }: contract.MergeOptions = {}): Promise<contract.MergeResult> {
		const { result, common } = await this.call('overlayMerge', { paths: paths && [...paths], overwrite });
		this.#common = fromWireSnapshot(common);
		return result;
	}

	async drop(paths: readonly string[]): Promise<void> {
		const { common } = await this.call('overlayDrop', { paths: [...paths] });
		this.#common = fromWireSnapshot(common);
	}

	protected override endConnection(): void {
		// Does nothing, since the base still uses the connection.
	}
}

const toBytes = (content: string | Uint8Array): Uint8Array =>
	typeof content === 'string' ? new TextEncoder().encode(content) : content;

const toCommand = (command: string, options: contract.ExecOptions): CommandArgs => ({
	command,
	cwd: options.cwd,
	env: options.env,
	timeoutMs: options.timeoutMs,
	rights: options.rights && {
		...options.rights,
		write: options.rights.write === 'all' ? 'all' : [...options.rights.write],
		network: options.rights.network === 'all' ? 'all' : [...options.rights.network]
	},
	takesTemporaryFiles: options.takesTemporaryFiles,
	hasInput: options.stdin !== undefined
});

function outputTo(
	{ onOutput }: contract.ExecOptions,
	buffers?: Record<contract.OutputChunk['stream'], OutputBuffer>
): (event: CallEvent) => void {
	return (event) => {
		if (event.type !== 'output') return;
		buffers?.[event.stream].add(event.data);
		onOutput?.({ stream: event.stream, data: event.data });
	};
}

/** Used for network errors: the machine rejects an answer that is not HTTP. */
const NOT_ANSWERED = 'The page could not answer this request.';

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 2_000);
