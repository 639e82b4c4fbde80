import { fileCalls } from '#computer/volume/file-calls.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import type { KernelComputer } from '#computer/kernel/kernel-computer.ts';
import type { AsyncSyscalls, SyncSyscalls } from '#computer/abi/client.ts';
import { runShell } from '#computer/shell/run-shell.ts';

export interface ShellResult {
	stdout: Buffer;
	stderr: string;
	code: number;
}

/** The kernel's own volume with our shell, without a worker. */
export class ShellInMemory {
	readonly files: SyncSyscalls;
	#async: AsyncSyscalls;
	#input: Uint8Array = new Uint8Array(0);
	#written: [Uint8Array[], Uint8Array[], Uint8Array[]] = [[], [], []];

	/** @param mostPerRead maximum number of bytes per read of standard input, since a pipe delivers them in pieces */
	constructor(private readonly mostPerRead = 65_536) {
		const calls: Record<string, unknown> = {
			write: (descriptor: number, bytes: Uint8Array) => void this.#written[descriptor]!.push(bytes.slice()),
			read: (_descriptor: number, max: number) => {
				const end = Math.min(max, this.mostPerRead);
				const piece = this.#input.slice(0, end);
				this.#input = this.#input.subarray(end);
				return piece;
			},
			unread: (_descriptor: number, bytes: Uint8Array) => void (this.#input = Buffer.concat([bytes, this.#input])),
			isTerminal: () => false,
			catchSignal: () => undefined,
			leave: () => 2,
			programs: () => ['bash'],
			now: () => Date.now()
		};
		const handlers = Object.entries(fileCalls({ volume: createVolume([]) } as unknown as KernelComputer)) as [
			string,
			(...args: unknown[]) => unknown
		][];
		for (const [name, handler] of handlers) {
			// A process gets copies, as over the wire.
			calls[name] = (...args: unknown[]) => {
				const result = handler(null, ...args.map((arg) => (arg instanceof Uint8Array ? arg.slice() : arg)));
				return result instanceof Uint8Array ? result.slice() : result;
			};
		}
		this.files = calls as unknown as SyncSyscalls;
		const async = Object.entries(calls).map(([name, call]) => [
			name,
			async (...args: unknown[]) => (call as (...args: unknown[]) => unknown)(...args)
		]);
		this.#async = Object.fromEntries(async) as AsyncSyscalls;
	}

	/** Runs `bash -c` in `/workspace`. */
	async run(command: string, input: Uint8Array = new Uint8Array(0)): Promise<ShellResult> {
		this.#input = input;
		this.#written = [[], [], []];
		const code = await runShell({
			pid: 1,
			parent: 1,
			umask: 0o022,
			ignored: [],
			argv: ['bash', '-c', command],
			cwd: '/workspace',
			env: { HOME: '/home/user', PATH: '/usr/bin:/bin', LC_ALL: 'C' },
			sync: this.files,
			async: this.#async,
			interrupted: () => false,
			pendingSignals: () => 0,
			generation: () => 0,
			onSignal: () => undefined,
			module: () => Promise.reject(new Error('the shell has no module'))
		});
		const [, out, error] = this.#written;
		return { stdout: Buffer.concat(out), stderr: Buffer.concat(error).toString('utf8'), code };
	}

	write(file: string, bytes: Uint8Array): void {
		this.files.writeFile(file, bytes);
	}
}
