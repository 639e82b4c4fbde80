import fs from 'node:fs';
import path from 'node:path';
import { fileCalls } from '#computer/volume/file-calls.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import type { KernelComputer } from '#computer/kernel/kernel-computer.ts';
import { runGit } from '#computer/git/run-git.ts';
import type { AsyncSyscalls, SyncSyscalls } from '#computer/abi/client.ts';
import type { Surroundings } from '#computer/git/surroundings.ts';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';

export interface GitResult {
	stdout: string;
	stderr: string;
	code: number;
}

/** Our git on the kernel's own volume, without a worker. */
export class GitInMemory {
	readonly files: SyncSyscalls;
	/** Standard input of the next command. */
	input = new Uint8Array(0);
	#written: [Uint8Array[], Uint8Array[], Uint8Array[]] = [[], [], []];
	/** Answers requests in place of the network, also those that the process waits for. */
	respond: ((request: WireRequest) => WireResponse) | null = null;
	#async: AsyncSyscalls;

	constructor(readonly env: Record<string, string> = {}) {
		const calls: Record<string, unknown> = {
			write: (descriptor: number, bytes: Uint8Array) => void this.#written[descriptor]!.push(bytes.slice()),
			read: () => {
				const bytes = this.input;
				this.input = new Uint8Array(0);
				return bytes;
			},
			isTerminal: () => false,
			fetch: (request: WireRequest) => {
				if (!this.respond) throw new Error('There is no server for requests that the process waits for.');
				return this.respond(request);
			},
			now: () => Date.now()
		};
		const handlers = fileCalls({ volume: createVolume([]) } as unknown as KernelComputer) as Record<
			string,
			(...args: unknown[]) => unknown
		>;
		for (const [name, handler] of Object.entries(handlers)) {
			// A process gets copies, as when messages are sent between threads.
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
		async['fetch'] = async (request: WireRequest) => this.respond?.(request) ?? fetchDirectly(request);
		this.#async = async as unknown as AsyncSyscalls;
	}

	async run(argv: string[], cwd = '/workspace'): Promise<GitResult> {
		this.#written = [[], [], []];
		const code = await runGit({
			pid: 1,
			parent: 1,
			umask: 0o022,
			ignored: [],
			argv,
			cwd,
			env: { HOME: '/home/user', ...this.env },
			sync: this.files,
			async: this.#async,
			interrupted: () => false,
			pendingSignals: () => 0,
			generation: () => 0,
			onSignal: () => undefined,
			module: () => Promise.reject(new Error('git has no module'))
		});
		const text = (parts: Uint8Array[]) => Buffer.concat(parts).toString('utf8');
		this.input = new Uint8Array(0);
		return { stdout: text(this.#written[1]), stderr: text(this.#written[2]), code };
	}

	write(file: string, content: string | Uint8Array, mode?: number): void {
		this.files.mkdir(path.posix.dirname(file), { recursive: true });
		this.files.writeFile(file, typeof content === 'string' ? new TextEncoder().encode(content) : content, { mode });
		if (mode !== undefined) this.files.chmod(file, mode);
	}

	/** Copies a directory of the volume to the disk. */
	exportTo(from: string, to: string): void {
		fs.mkdirSync(to, { recursive: true });
		for (const { path: full, stat } of this.files.walk(from)) {
			const target = path.join(to, full.slice(from.length + 1));
			if (stat.kind === 'directory') fs.mkdirSync(target, { recursive: true });
			else if (stat.kind === 'symlink') fs.symlinkSync(this.files.readlink(full), target);
			else {
				fs.writeFileSync(target, this.files.readFile(full), { mode: stat.mode & 0o777 });
				fs.utimesSync(target, stat.modifiedMs / 1000, stat.modifiedMs / 1000);
			}
		}
	}
}

/** Surroundings of a repository that no command uses. */
export const surroundingsOf = (files: SyncSyscalls): Surroundings => ({
	...{ files, cwd: '/workspace', env: {}, overrides: [] },
	...{ warn: () => undefined, err: () => undefined, fetchMissing: () => undefined }
});

async function fetchDirectly(request: WireRequest): Promise<WireResponse> {
	const response = await fetch(request.url, {
		method: request.method,
		headers: request.headers,
		body: request.body as Uint8Array<ArrayBuffer> | null
	});
	return {
		status: response.status,
		statusText: response.statusText,
		headers: [...response.headers],
		url: response.url,
		body: new Uint8Array(await response.arrayBuffer())
	};
}
