import type { SpawnOptions, WebContainer, WebContainerProcess } from '@webcontainer/api';
import * as z from 'zod/mini';
import { EnvironmentError } from '../errors.ts';
import { toEnvironmentError } from '../node-errors.ts';
import commandProcess from './in-container/command-process.mjs?raw';
import filesProcess from './in-container/files-process.mjs?raw';
import files from './in-container/files.mjs?raw';
import frames from './in-container/frames.mjs?raw';
import paths from './in-container/paths.mjs?raw';
import tree from './in-container/tree.mjs?raw';
import { OVERLAYS, OWN } from './layout.ts';
import { Questions } from './questions.ts';

const PROGRAMS = {
	'command-process.mjs': commandProcess,
	'files-process.mjs': filesProcess,
	'files.mjs': files,
	'frames.mjs': frames,
	'paths.mjs': paths,
	'tree.mjs': tree
};
const START_MS = 10_000;

/** A booted container with our programs in it. All paths it takes and returns are absolute. */
export class BootedContainer {
	#spares = 0;
	#overlays = 0;

	private constructor(
		private readonly container: WebContainer,
		readonly questions: Questions,
		/** The container's own working directory, links resolved. */
		readonly directory: string,
		readonly nodeVersion: string
	) {}

	/** @throws EnvironmentError `EUNAVAILABLE` if Node does not run there */
	static async start(container: WebContainer, timeoutMs = START_MS): Promise<BootedContainer> {
		const { fs } = container;
		for (const directory of ['workspace', 'home', `${OWN}/spare`, OVERLAYS])
			await fs.mkdir(directory, { recursive: true });
		for (const [name, text] of Object.entries(PROGRAMS)) await fs.writeFile(`${OWN}/${name}`, text);
		const process = await container.spawn('node', [`${OWN}/files-process.mjs`]);
		const absolute = (path: string): string => `${container.workdir}/${path}`;
		const questions = new Questions(process, fs, `${OWN}/spare`, absolute);
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = new Promise<never>((_resolve, reject) => {
			timer = setTimeout(() => reject(new Error(`Node did not start there within ${timeoutMs / 1000} s`)), timeoutMs);
		});
		try {
			const { node, directory } = await Promise.race([questions.ready, late]);
			return new BootedContainer(container, questions, directory, node);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw new EnvironmentError('EUNAVAILABLE', `WebContainer started but cannot be used: ${reason}.`);
		} finally {
			clearTimeout(timer);
		}
	}

	/** Reads a file at a path inside the container's working directory. */
	async read(real: string): Promise<Uint8Array> {
		try {
			return await this.container.fs.readFile(this.#inside(real));
		} catch (error) {
			throw toEnvironmentError(error, real);
		}
	}

	/**
	 * Writes each content to a temporary file, all in one transfer, and lets `work` move the files to their destinations.
	 * Files that remain are removed.
	 */
	async withAside<T>(contents: Uint8Array[], work: (files: string[]) => Promise<T>): Promise<T> {
		const place = this.spare();
		const { fs } = this.container;
		try {
			await fs.mkdir(this.#inside(place), { recursive: true });
			const tree = Object.fromEntries(contents.map((bytes, index) => [index, { file: { contents: bytes } }]));
			await this.container.mount(tree, { mountPoint: this.#inside(place) });
			return await work(contents.map((_, index) => `${place}/${index}`));
		} catch (error) {
			throw toEnvironmentError(error);
		} finally {
			await this.discard(place);
		}
	}

	/** Like {@link withAside} for one file. */
	async withFileAside<T>(content: Uint8Array, work: (file: string) => Promise<T>): Promise<T> {
		const file = await this.keepAside(content);
		try {
			return await work(file);
		} catch (error) {
			await this.discard(file);
			throw error;
		}
	}

	/** Writes a temporary file that its reader removes. */
	async keepAside(content: string | Uint8Array): Promise<string> {
		const file = this.spare();
		try {
			await this.container.fs.writeFile(this.#inside(file), content);
		} catch (error) {
			throw toEnvironmentError(error);
		}
		return file;
	}

	/** Returns an unused path for a temporary file. */
	spare(): string {
		return `${this.directory}/${OWN}/spare/file-${++this.#spares}`;
	}

	async discard(path: string): Promise<void> {
		await this.container.fs.rm(this.#inside(path), { recursive: true, force: true });
	}

	/** Copies a directory for an overlay. Removed by {@link discard}. */
	async copyForOverlay(from: string): Promise<string> {
		const to = `${this.directory}/${OVERLAYS}/${++this.#overlays}`;
		await this.questions.ask('copy', { from, to }, z.unknown());
		return to;
	}

	async spawnProgram(name: keyof typeof PROGRAMS, args: string[], options: SpawnOptions): Promise<WebContainerProcess> {
		return this.#spawn('node', [`${this.directory}/${OWN}/${name}`, ...args], options);
	}

	/** @param cwd a path inside the container's working directory */
	async spawnShell(cwd: string, options: SpawnOptions): Promise<WebContainerProcess> {
		return this.#spawn('jsh', [], { ...options, cwd: this.#inside(cwd) });
	}

	/** Calls back when something below the directory changes. Returns a function that stops watching. */
	watch(directory: string, changed: () => void): () => void {
		const watcher = this.container.fs.watch(this.#inside(directory), { recursive: true }, changed);
		return () => watcher.close();
	}

	teardown(): void {
		this.container.teardown();
	}

	async #spawn(command: string, args: string[], options: SpawnOptions): Promise<WebContainerProcess> {
		try {
			return await this.container.spawn(command, args, options);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw new EnvironmentError('EIO', `The container could not start a process: ${reason}`);
		}
	}

	#inside(path: string): string {
		return path.slice(this.directory.length + 1);
	}
}
