import type {
	DiagnosticsService,
	DirEntry,
	ExecOptions,
	ExecResult,
	ExecutionEnvironment,
	FileChange,
	FileStat,
	GrepOptions,
	LineRange,
	LoadEntry,
	LoadOptions,
	OverlayEnvironment,
	Process,
	Snapshot,
	Terminal,
	TerminalSize,
	Trial
} from '#environment/contract.ts';
import { DESCRIPTION } from './description.ts';
import { PYTHON_CHECKER_COMMAND } from '#environment/diagnostics/python.ts';
import { EditorLanguage } from '#environment/diagnostics/editor-language.ts';
import { ProjectDiagnostics } from '#environment/diagnostics/service.ts';
import type { PreviewAnswerer } from '#environment/preview.ts';
import type { LanguageService } from '#environment/language.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { sliceLines } from '#environment/lines.ts';
import { MergingOverlay } from '#environment/wrappers/overlay.ts';
import { cancelledTrial } from '#environment/cancelled-trial.ts';
import type { Connect, Connection } from './connection.ts';
import { startInSandbox } from './diagnostics.ts';
import { ripgrepArguments } from './grep.ts';
import { FileMirror } from './file-mirror.ts';
import { KernelTrial } from './trial.ts';
import { KernelPort } from './kernel-port.ts';
import { watchPulse } from './kernel-pulse.ts';
import { loadInBatches } from './load.ts';
import { Loopback } from './loopback.ts';
import { bytesOf, RunningProcesses } from './running-processes.ts';
import type { Pauses } from './command-clock.ts';
import { PageSnapshots } from './snapshots.ts';
import { absolute, WORKSPACE } from '#computer/abi/paths.ts';
import type { Memory, Question, WireChange } from '#computer/abi/protocol.ts';
import type { WireResponse } from '#computer/abi/syscalls.ts';

/** Time for a kernel to end its processes before its frame is removed. */
const CLOSING_MS = 1_000;
/** Time for the last changes of a kernel that has failed. */
const LAST_CHANGES_MS = 500;

type Answer = Uint8Array | string | WireResponse;

export interface MachineOptions {
	connect: Connect;
	/** Answers the kernel's questions to the page. */
	answer: (question: Question) => Promise<Answer>;
	/** Called when the kernel is gone unexpectedly. The next call starts another, with the same files. */
	onCrash?: (reason: string) => void;
	/** Times that do not count towards time limits of commands. */
	pauses?: Pauses | undefined;
	/** Set for an overlay, which cannot be restarted: the computer it belongs to is gone as well. */
	isOverlay?: boolean;
	/**
	 * Called when a kernel runs; `snapshot` if the browser does not give its processes shared memory, which limits
	 * them.
	 */
	onStart?: (memory: Memory) => void;
	/** Interval between checks whether the kernel still answers. Absent: no checks. */
	beatMs?: number;
	/** Called when the frame sends something the kernel does not send. */
	onStrangeMessage?: (data: unknown) => void;
}

/** The computer in the tab, as the page uses it. Created by `createWasmEnvironment`. */
export class WasmExecutionEnvironment implements ExecutionEnvironment {
	#kernel: KernelPort | null = null;
	#processes: RunningProcesses | null = null;
	#connection: Connection | null = null;
	#stopWatching: () => void = () => {};
	#starting: Promise<void> | null = null;
	#closed = false;
	#listeners = new Set<(change: FileChange) => void>();
	/** Files for a new kernel when the current one dies. */
	#kept = new FileMirror();
	readonly description = DESCRIPTION;
	readonly #snapshots = new PageSnapshots((path) => this.#kept.bytesAt(path));
	#lastSeq = 0;
	/** Servers that listen in the sandbox. */
	readonly loopback = new Loopback(async (port) => (await this.#started()).kernel.request('connectLoopback', port));
	readonly #typeScript = startInSandbox(['typescript-diagnostics'], (argv, options) => this.#spawn(argv, options));
	readonly #language = new EditorLanguage({
		typeScript: this.#typeScript,
		onChange: (listener) => this.onChange(listener)
	});
	readonly #diagnostics = new ProjectDiagnostics({
		typeScript: this.#typeScript,
		python: startInSandbox(PYTHON_CHECKER_COMMAND, (argv, options) => this.#spawn(argv, options)),
		isPythonWarm: () => this.#hasPython,
		onChange: (listener) => this.onChange(listener)
	});
	#answerPreview: PreviewAnswerer | null = null;
	/** Python was used here: the kernel keeps a spare worker for it. */
	#hasPython = false;
	#crashes = 0;

	constructor(private readonly options: MachineOptions) {}

	initialize(): Promise<void> {
		if (this.#closed) return Promise.reject(closedError());
		if (!this.#starting) {
			const starting = this.#start();
			this.#starting = starting;
			// A later call may succeed in reaching the server.
			starting.catch(() => {
				if (this.#starting === starting) this.#starting = null;
			});
		}
		return this.#starting;
	}

	readonly servePreview = (answer: PreviewAnswerer): (() => void) => {
		this.#answerPreview = answer;
		return () => {
			if (this.#answerPreview === answer) this.#answerPreview = null;
		};
	};

	async cleanup(): Promise<void> {
		if (this.#closed) return;
		this.#closed = true;
		this.#diagnostics.close();
		this.#language.close();
		await this.#starting?.catch(() => {
			// It never ran; the caller that started it was notified.
		});
		// A kernel that no longer answers is ended with its frame.
		const closed = this.#kernel?.request('close').catch(() => {});
		await atMost(CLOSING_MS, closed, this.#connection?.gone);
		this.#end(closedError());
	}

	/** Without shared memory the language service would see stale files. */
	get language(): LanguageService | undefined {
		return this.#connection?.memory === 'snapshot' ? undefined : this.#language;
	}

	/** Without shared memory the language service would see stale files. */
	get diagnostics(): DiagnosticsService | undefined {
		return this.#connection?.memory === 'snapshot' ? undefined : this.#diagnostics;
	}

	/** Without shared memory, writes of an ended process may arrive after its end. */
	get endProcesses(): (() => Promise<void>) | undefined {
		if (this.#connection?.memory === 'snapshot') return undefined;
		return async () => {
			const { kernel } = await this.#started();
			await kernel.request('endProcesses');
			await kernel.request('settled');
		};
	}

	workingDirectory(): string {
		return WORKSPACE;
	}

	platform(): 'wasm' {
		return 'wasm';
	}

	osVersion(): string {
		return 'Sandglass kernel 0.1.0';
	}

	async readFile(path: string, range?: LineRange): Promise<string> {
		return sliceLines(new TextDecoder().decode(await this.readBytes(path)), range);
	}

	async readBytes(path: string): Promise<Uint8Array> {
		return (await this.#started()).kernel.request('readBytes', this.#path(path));
	}

	async writeFile(path: string, content: string | Uint8Array): Promise<void> {
		await (await this.#started()).kernel.request('writeFile', this.#path(path), bytesOf(content));
	}

	async fileExists(path: string): Promise<boolean> {
		try {
			await this.stat(path);
			return true;
		} catch (error) {
			if (error instanceof EnvironmentError && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return false;
			throw error;
		}
	}

	async stat(path: string): Promise<FileStat> {
		return (await this.#started()).kernel.request('stat', this.#path(path));
	}

	async listDirectory(path: string, depth: number): Promise<DirEntry[]> {
		return (await this.#started()).kernel.request('list', this.#path(path), depth);
	}

	async remove(path: string, options: { recursive?: boolean } = {}): Promise<void> {
		await (await this.#started()).kernel.request('remove', this.#path(path), options.recursive ?? false);
	}

	async rename(from: string, to: string): Promise<void> {
		await (await this.#started()).kernel.request('rename', this.#path(from), this.#path(to));
	}

	async makeDirectory(path: string): Promise<void> {
		await (await this.#started()).kernel.request('makeDirectory', this.#path(path));
	}

	async readLink(path: string): Promise<string> {
		return (await this.#started()).kernel.request('readLink', this.#path(path));
	}

	async symlink(target: string, path: string): Promise<void> {
		await (await this.#started()).kernel.request('symlink', target, this.#path(path));
	}

	async setMode(path: string, mode: number): Promise<void> {
		await (await this.#started()).kernel.request('setMode', this.#path(path), mode);
	}

	async load(entries: AsyncIterable<LoadEntry>, options: LoadOptions = {}): Promise<void> {
		const { root = WORKSPACE, restored = false } = options;
		const { kernel } = await this.#started();
		await loadInBatches(entries, (batch) => kernel.request('load', batch, this.#path(root), restored));
	}

	onChange(listener: (change: FileChange) => void): () => void {
		// Each subscription is separate, even of the same function.
		const own = (change: FileChange): void => listener(change);
		this.#listeners.add(own);
		return () => this.#listeners.delete(own);
	}

	async exec(command: string, options: ExecOptions = {}): Promise<ExecResult> {
		return this.#run(['bash', '-c', command], options);
	}

	async start(command: string, options: ExecOptions = {}): Promise<Process> {
		return this.#spawn(['bash', '-c', command], options);
	}

	async runOnTrial(command: string, options: ExecOptions = {}): Promise<Trial> {
		const { kernel, processes } = await this.#started();
		if (options.signal?.aborted) return cancelledTrial();
		const stdin = options.stdin === undefined ? undefined : bytesOf(options.stdin);
		const cwd = this.#path(options.cwd ?? WORKSPACE);
		const process = await processes.start(['bash', '-c', command], cwd, options, stdin, true);
		const result = await process.exited;
		const effects = await kernel.request('trialEffects', process.pid);
		return new KernelTrial(kernel, process.pid, result, effects, () => this.#changesSeen());
	}

	async openTerminal(size: TerminalSize): Promise<Terminal> {
		return (await this.#started()).processes.openTerminal(WORKSPACE, size);
	}

	async grep(pattern: string, path: string, options: GrepOptions = {}): Promise<string> {
		await this.stat(path);
		const searched = path.startsWith('~') ? this.#path(path) : path;
		const { stdout, stderr, exitCode } = await this.#run(ripgrepArguments(pattern, searched, options), {
			signal: options.signal
		});
		// ripgrep: 1 is "no match"; 2 with output is "some files could not be read".
		if (exitCode > 1 && stdout === '') throw new EnvironmentError('EINVAL', stderr.trim() || 'The search was stopped.');
		if (options.maxLines === undefined) return stdout;
		return stdout.split('\n').slice(0, options.maxLines).join('\n');
	}

	async glob(pattern: string, path: string): Promise<string[]> {
		return (await this.#started()).kernel.request('glob', pattern, this.#path(path));
	}

	async snapshot(): Promise<Snapshot> {
		const { kernel } = await this.#started();
		return this.#snapshots.take(kernel);
	}

	async restore(snapshot: Snapshot): Promise<void> {
		const { kernel } = await this.#started();
		await this.#snapshots.restore(kernel, snapshot);
	}

	async readBlob(blob: string): Promise<Uint8Array> {
		const { kernel } = await this.#started();
		return this.#snapshots.read(kernel, blob);
	}

	async overlay(common?: Snapshot): Promise<OverlayEnvironment> {
		const { kernel } = await this.#started();
		const base = await this.snapshot();
		const port = await kernel.request('overlay');
		const { gone = new Promise<string>(() => {}), memory = 'shared' } = this.#connection ?? {};
		const connect = () => Promise.resolve(overPort(port, gone, memory));
		const computer = new WasmExecutionEnvironment({ ...this.options, connect, onCrash: undefined, isOverlay: true });
		await computer.initialize();
		return new MergingOverlay(this, computer, common ?? base);
	}

	async #start(): Promise<void> {
		const connection = await this.options.connect();
		this.#connection = connection;
		let isReady = false;
		const kernel = new KernelPort(connection.port, {
			output: (pid, stream, bytes) => processes.output(pid, stream, bytes),
			started: (pid) => processes.started(pid),
			ended: (pid, code) => processes.ended(pid, code),
			changes: (changes) => {
				// Restored files are not changes.
				if (isReady) for (const change of changes) this.#changed(change);
			},
			ports: (ports) => this.loopback.update(ports),
			answer: (question) => {
				this.#hasPython ||= question.kind === 'program' && question.name === 'python';
				if (question.kind === 'preview' && this.#answerPreview) return this.#answerPreview(question.request);
				return this.options.answer(question);
			},
			strange: (data) => this.options.onStrangeMessage?.(data)
		});
		const processes = new RunningProcesses(kernel, this.options.pauses);
		this.#kernel = kernel;
		this.#processes = processes;
		void connection.gone.then(async (reason) => {
			// A kernel that has failed may still run, and its last changes can be in flight when its failure is
			// reported.
			const settled = kernel.request('settled').catch(() => {});
			await atMost(LAST_CHANGES_MS, settled);
			if (this.#connection === connection) this.#lost(reason);
		});
		await kernel.request('ping');
		if (this.#crashes > 0) await putBack(kernel, this.#kept);
		isReady = true;
		if (this.options.isOverlay) return;
		const { beatMs } = this.options;
		if (beatMs !== undefined) {
			const stuck = (): void => this.#lost('its kernel does not answer any more');
			this.#stopWatching = watchPulse(() => kernel.request('ping'), beatMs, stuck);
		}
		this.options.onStart?.(connection.memory ?? 'shared');
	}

	#lost(reason: string): void {
		if (this.#closed) return;
		this.#crashes++;
		if (this.options.isOverlay) {
			this.#closed = true;
			this.#end(new EnvironmentError('ECLOSED', `The sandbox has stopped: ${reason}.`));
		} else {
			const advice = 'The files are safe, and it restarts with the next command. Run the command again.';
			this.#end(new EnvironmentError('EIO', `The sandbox has stopped: ${reason}. ${advice}`));
			this.#kernel = this.#processes = this.#connection = this.#starting = null;
			this.#snapshots.lost();
		}
		this.options.onCrash?.(reason);
	}

	#end(reason: EnvironmentError): void {
		this.#stopWatching();
		this.#kernel?.close(reason);
		this.#processes?.abandon(reason.message);
		this.#connection?.dispose();
		if (this.loopback.ports.length > 0) this.loopback.update([]);
	}

	#changed(change: WireChange): void {
		this.#kept.record(change);
		// Sequence numbers continue across kernels.
		this.#tell({ ...change, seq: ++this.#lastSeq });
	}

	async #run(argv: string[], options: ExecOptions): Promise<ExecResult> {
		const { processes } = await this.#started();
		if (options.signal?.aborted) return { stdout: '', stderr: '', exitCode: 130, timedOut: false, durationMs: 0 };
		const stdin = options.stdin === undefined ? undefined : bytesOf(options.stdin);
		const process = await processes.start(argv, this.#path(options.cwd ?? WORKSPACE), options, stdin);
		const result = await process.exited;
		await this.#changesSeen();
		return result;
	}

	async #spawn(argv: string[], options: ExecOptions): Promise<Process> {
		const { processes } = await this.#started();
		const stdin = options.stdin === undefined ? 'open' : bytesOf(options.stdin);
		return processes.start(argv, this.#path(options.cwd ?? WORKSPACE), options, stdin);
	}

	/** A listener that throws does not affect the others. */
	#tell(change: FileChange): void {
		for (const listener of this.#listeners) {
			try {
				listener(change);
			} catch (error) {
				console.error('A listener for file changes failed.', error);
			}
		}
	}

	/** Resolves when the listeners have been notified of everything so far. */
	async #changesSeen(): Promise<void> {
		if (this.#listeners.size > 0) await this.#kernel?.request('settled').catch(() => {});
	}

	async #started(): Promise<{ kernel: KernelPort; processes: RunningProcesses }> {
		if (this.#closed) throw closedError();
		await this.initialize();
		if (!this.#kernel || !this.#processes) throw closedError();
		return { kernel: this.#kernel, processes: this.#processes };
	}

	#path(path: string): string {
		return absolute(path, WORKSPACE);
	}
}

/** Waits for the first of several promises, but no longer than `ms`. */
async function atMost(ms: number, ...promises: (Promise<unknown> | undefined)[]): Promise<void> {
	const late = new Promise((resolve) => setTimeout(resolve, ms));
	await Promise.race([...promises, late]);
}

/** Restores the files of the previous kernel in a new one. */
async function putBack(kernel: KernelPort, kept: FileMirror): Promise<void> {
	for (const path of kept.emptyDirectories()) await kernel.request('makeDirectory', path);
	const files = kept.files().map((entry) => ({ ...entry, path: entry.path.slice(1) }));
	await loadInBatches(files, (batch) => kernel.request('load', batch, '/', true));
}

/** Connection to a computer in the kernel of another one, which ends with it. */
function overPort(port: MessagePort, gone: Promise<string>, memory: Memory): Connection {
	return { port, gone, memory, dispose: () => port.close() };
}

const closedError = () => new EnvironmentError('ECLOSED', 'This sandbox was closed. Open a new one.');
