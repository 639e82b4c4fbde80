import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { Readable } from 'node:stream';
import type { FileSystemAPI, FileSystemTree, SpawnOptions, WebContainer, WebContainerProcess } from '@webcontainer/api';

/** The part of the container that the adapter uses. */
type Used = Pick<WebContainer, 'fs' | 'mount' | 'on' | 'spawn' | 'teardown' | 'workdir'>;

/**
 * A container on this machine: its files in a temporary directory, its processes on real terminals (by `script` of
 * util-linux), with bash under the name `jsh`. Like the real one, it passes on output as one stream, decodes each chunk
 * separately, and loses the codes of file errors.
 */
export class StandIn implements Used {
	isTornDown = false;
	/** Sizes set for terminals after their start. */
	readonly sizes: { cols: number; rows: number }[] = [];
	readonly #events = new Map<string, Set<(...details: never[]) => void>>();
	readonly #children = new Set<() => void>();

	private constructor(private readonly directory: string) {}

	static async boot(): Promise<StandIn> {
		const directory = await fs.mkdtemp(join(tmpdir(), 'sandglass-container-'));
		const standIn = new StandIn(await fs.realpath(directory));
		await fs.mkdir(standIn.workdir);
		await fs.mkdir(join(directory, 'bin'));
		await fs.writeFile(join(directory, 'bin', 'jsh'), '#!/bin/sh\nexec /bin/bash --norc --noprofile "$@"\n', {
			mode: 0o755
		});
		return standIn;
	}

	/** Has the type returned by `WebContainer.boot`; the adapter only uses the parts implemented here. */
	get container(): WebContainer {
		return this as Used as WebContainer;
	}

	get workdir(): string {
		return join(this.directory, 'work');
	}

	readonly fs = fileInterface(() => this.workdir);

	async mount(tree: FileSystemTree | Uint8Array | ArrayBuffer, { mountPoint = '.' } = {}): Promise<void> {
		if (tree instanceof Uint8Array || tree instanceof ArrayBuffer) throw new Error('Not used: binary trees');
		for (const [name, node] of Object.entries(tree)) {
			if (!('file' in node) || 'symlink' in node.file) throw new Error('Not used: directories and links');
			await fs.writeFile(join(this.workdir, mountPoint, name), node.file.contents);
		}
	}

	async spawn(command: string, args?: string[] | SpawnOptions, given?: SpawnOptions): Promise<WebContainerProcess> {
		const words = Array.isArray(args) ? args : [];
		const options = given ?? (Array.isArray(args) ? {} : (args ?? {}));
		const line = [command, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
		const child = spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
			cwd: join(this.workdir, options.cwd ?? '.'),
			env: {
				PATH: `${join(this.directory, 'bin')}:${env['PATH']}`,
				TERM: 'dumb',
				...Object.fromEntries(Object.entries(options.env ?? {}).map(([name, value]) => [name, String(value)]))
			},
			detached: true,
			stdio: ['pipe', 'pipe', 'ignore']
		});
		const kill = (): void => {
			// Its terminal hangs up, which ends the programs on it.
			child.kill('SIGTERM');
		};
		this.#children.add(kill);
		const exit = new Promise<number>((resolve) =>
			child.once('exit', (code) => {
				this.#children.delete(kill);
				resolve(code ?? 143);
			})
		);
		child.stdin.on('error', () => undefined);
		const output = new ReadableStream<string>({
			async start(controller) {
				for await (const bytes of Readable.toWeb(child.stdout)) controller.enqueue(new TextDecoder().decode(bytes));
				controller.close();
			}
		});
		const input = new WritableStream<string>({
			write: (data) => void child.stdin.write(data)
		});
		return { exit, input, output, kill, resize: (size) => void this.sizes.push(size) };
	}

	on(event: string, listener: (...details: never[]) => void): () => void {
		const listeners = this.#events.get(event) ?? new Set();
		this.#events.set(event, listeners.add(listener));
		return () => listeners.delete(listener);
	}

	/** Emits an event, as the container does when a server there starts to listen or ends. */
	emit(event: 'server-ready' | 'port', ...details: unknown[]): void {
		for (const listener of this.#events.get(event) ?? []) listener(...(details as never[]));
	}

	teardown(): void {
		if (this.isTornDown) throw new Error('WebContainer already torn down');
		this.isTornDown = true;
		this.endProcesses();
	}

	/** Ends all processes, as when the container's frame is removed. */
	endProcesses(): void {
		for (const kill of this.#children) kill();
	}

	/** Makes a program fail as if it did not exist. */
	async forget(program: string): Promise<void> {
		await fs.writeFile(join(this.directory, 'bin', program), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
	}

	async dispose(): Promise<void> {
		if (!this.isTornDown) this.teardown();
		await fs.rm(this.directory, { recursive: true, force: true });
	}
}

/** Paths start from the working directory, even absolute ones. */
function fileInterface(root: () => string): FileSystemAPI {
	const at = (path: string): string => join(root(), path);
	const withoutCode = (error: unknown): never => {
		throw new Error(error instanceof Error ? error.message : String(error));
	};
	const api = {
		readFile: async (path: string, encoding?: BufferEncoding | null) =>
			fs.readFile(at(path), encoding ?? null).then((content) => {
				return typeof content === 'string' ? content : new Uint8Array(content);
			}, withoutCode),
		writeFile: (path: string, data: string | Uint8Array) => fs.writeFile(at(path), data).catch(withoutCode),
		mkdir: (path: string, options?: { recursive?: boolean }) => fs.mkdir(at(path), options).catch(withoutCode),
		rm: (path: string, options?: { force?: boolean; recursive?: boolean }) =>
			fs.rm(at(path), options).catch(withoutCode),
		rename: (from: string, to: string) => fs.rename(at(from), at(to)).catch(withoutCode),
		readdir: (path: string) => fs.readdir(at(path)).catch(withoutCode),
		watch: (path: string, options: { recursive: boolean }, listener: () => void) => watch(at(path), options, listener)
	};
	// The interface has overloads that a single function cannot be typed as.
	return api as unknown as FileSystemAPI;
}
