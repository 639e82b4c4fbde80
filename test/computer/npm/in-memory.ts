import { fileCalls } from '#computer/volume/file-calls.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import type { KernelComputer } from '#computer/kernel/kernel-computer.ts';
import { packageManager } from '#computer/npm/program.ts';
import { type AsyncSyscalls, SyscallError, type SyncSyscalls } from '#computer/abi/client.ts';
import type { SignalName, SpawnOptions, WireRequest, WireResponse } from '#computer/abi/syscalls.ts';

export interface NpmResult {
	stdout: string;
	stderr: string;
	code: number;
}

/** The kernel's own volume with our npm, without a worker. */
export class NpmInMemory {
	readonly files: SyncSyscalls;
	readonly volume = createVolume([]);
	readonly requests: string[] = [];
	/** Started processes, oldest first, and how they end. */
	readonly spawned: SpawnOptions[] = [];
	codeOf: (started: SpawnOptions) => number = () => 0;
	#async: AsyncSyscalls;
	#written: [Uint8Array[], Uint8Array[], Uint8Array[]] = [[], [], []];
	#listeners: ((signal: SignalName, newest: number) => void)[] = [];

	/** @param fetch answers requests; `null` if there is no network */
	constructor(public fetch: ((request: WireRequest) => Promise<WireResponse>) | null) {
		const calls: Record<string, unknown> = {
			write: (descriptor: number, bytes: Uint8Array) => void this.#written[descriptor]!.push(bytes.slice()),
			read: () => new Uint8Array(0),
			isTerminal: () => false,
			catchSignal: () => undefined,
			programs: () => ['node', 'npm'],
			spawn: (request: SpawnOptions) => this.spawned.push(request),
			waitPid: (pid: number) => ({ code: this.codeOf(this.spawned[pid - 1]!), signal: null }),
			now: () => Date.now()
		};
		const computer = { volume: this.volume } as unknown as KernelComputer;
		const handlers = Object.entries(fileCalls(computer)) as [string, (...args: unknown[]) => unknown][];
		for (const [name, handler] of handlers) {
			calls[name] = (...args: unknown[]) => {
				const result = handler(null, ...args.map((arg) => (arg instanceof Uint8Array ? arg.slice() : arg)));
				return result instanceof Uint8Array ? result.slice() : result;
			};
		}
		this.files = calls as unknown as SyncSyscalls;
		const async: Record<string, unknown> = {};
		for (const [name, call] of Object.entries(calls)) {
			async[name] = async (...args: unknown[]) => (call as (...args: unknown[]) => unknown)(...args);
		}
		async['fetch'] = (request: WireRequest) => {
			this.requests.push(request.url);
			return this.fetch?.(request) ?? Promise.reject(new SyscallError('ENETUNREACH', 'there is no network'));
		};
		this.#async = async as unknown as AsyncSyscalls;
	}

	/** @param line `npm install express`, words separated by spaces */
	async run(line: string, cwd = '/workspace', env: Record<string, string> = {}): Promise<NpmResult> {
		this.#written = [[], [], []];
		this.#listeners = [];
		const code = await packageManager({
			pid: 1,
			parent: 1,
			umask: 0o022,
			ignored: [],
			argv: line.split(' '),
			cwd,
			env: { HOME: '/home/user', ...env },
			sync: this.files,
			async: this.#async,
			interrupted: () => false,
			pendingSignals: () => 0,
			generation: () => 0,
			onSignal: (listener) => void this.#listeners.push(listener),
			module: () => Promise.reject(new Error('npm has no module'))
		});
		const text = (parts: Uint8Array[]) => Buffer.concat(parts).toString('utf8');
		return { stdout: text(this.#written[1]), stderr: text(this.#written[2]), code };
	}

	interrupt(): void {
		for (const listener of this.#listeners) listener('SIGINT', 1);
	}

	write(file: string, content: unknown): void {
		this.files.mkdir(file.slice(0, file.lastIndexOf('/')), { recursive: true });
		const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
		this.files.writeFile(file, new TextEncoder().encode(text));
	}

	read(file: string): string {
		return new TextDecoder().decode(this.files.readFile(file));
	}

	json(file: string): Record<string, unknown> {
		return JSON.parse(this.read(file)) as Record<string, unknown>;
	}

	has(file: string): boolean {
		return this.files.statOrNull(file) !== null;
	}
}

/** A lock file, or why there is none. */
export interface Locked {
	/** Text of `package-lock.json`; null if the manifest was refused. */
	lock: string | null;
	/** Error output of the command. */
	said: string;
}

/**
 * Lets our npm write a lock file.
 *
 * @param manifest text of a package.json.
 * @param registry its address, with a trailing slash
 */
export async function lockInMemory(manifest: string, registry: string): Promise<Locked> {
	const computer = new NpmInMemory(fetchDirectly);
	computer.write('/workspace/.npmrc', `registry=${registry}\n`);
	computer.write('/workspace/package.json', manifest);
	const { code, stderr } = await computer.run('npm install --package-lock-only');
	return { lock: code === 0 ? computer.read('/workspace/package-lock.json') : null, said: stderr };
}

/** Fetches from a server, as the page would. */
export async function fetchDirectly(request: WireRequest): Promise<WireResponse> {
	const response = await fetch(request.url, { method: request.method, headers: request.headers });
	const body = new Uint8Array(await response.arrayBuffer());
	return {
		status: response.status,
		statusText: response.statusText,
		headers: [...response.headers],
		url: response.url,
		body
	};
}
