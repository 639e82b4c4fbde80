import type { Shell } from '../state/shell.ts';
import { BrokenPipe, OpenFile } from './open-file.ts';

/**
 * File of a `<(…)` or `>(…)` among the arguments of a command: a named pipe of the volume, backed by a pipe in the
 * shell's memory. The shell's own commands open the latter directly; for programs that can open named pipes, its bytes
 * are copied through the kernel's pipe. All other programs get a regular file: the finished output, or a file that is
 * read when the command has ended.
 */
export class SubstitutedFile {
	#isFile = false;
	#serving: Promise<void> | null = null;
	#stop = () => {};
	readonly #stopped = new Promise<null>((resolve) => (this.#stop = () => resolve(null)));

	constructor(
		private readonly shell: Shell,
		readonly path: string,
		readonly access: 'read' | 'write',
		private readonly content: OpenFile
	) {
		shell.host.context.sync.mkfifo(path);
	}

	/** Opens the pipe for a command of the shell; null once it is a regular file. */
	open(): OpenFile | null {
		if (this.#isFile) return null;
		const { content } = this;
		content.retain();
		let isOpen = true;
		return new OpenFile({
			isInput: this.access === 'read',
			read: (max) => content.read(max),
			write: (bytes) => content.write(bytes),
			isBroken: () => content.stream.isBroken?.() ?? false,
			close: () => {
				if (isOpen) content.release();
				isOpen = false;
			}
		});
	}

	/** Turns it into a regular file; for a script that writes, the file contains all its output. */
	async makeFile(): Promise<void> {
		if (this.#isFile || this.#serving) return;
		this.#isFile = true;
		const { sync } = this.shell.host.context;
		const bytes = this.access === 'read' ? await this.shell.control.race(this.content.readAll()) : new Uint8Array();
		sync.remove(this.path, { force: true });
		sync.writeFile(this.path, bytes);
	}

	/** Copies the bytes from or to processes that open the named pipe. */
	serve(): void {
		if (this.#isFile) return;
		this.#serving ??= this.access === 'read' ? this.#feedAll() : this.#collectAll();
	}

	/** Waits for the other side of the named pipe. Returns null if the command ends before that. */
	async #opened(end: number): Promise<true | null> {
		const opened = this.shell.host.context.async.opened(end).then((): true => true);
		opened.catch(() => undefined);
		return await Promise.race([opened, this.#stopped]);
	}

	/** Writes to the processes that read, one after the other. */
	async #feedAll(): Promise<void> {
		const { sync, async: calls } = this.shell.host.context;
		let end = sync.openFile(this.path, 'write');
		while ((await this.#opened(end)) && !(await this.#feed(end))) {
			// A process that opens the pipe meanwhile must not see the end of its input.
			const next = sync.openFile(this.path, 'write');
			await calls.close(end);
			end = next;
		}
		await calls.close(end);
	}

	/** Reads from all processes that write, until the command has ended, as long as the script reads. */
	async #collectAll(): Promise<void> {
		const { sync, async: calls } = this.shell.host.context;
		const end = sync.openFile(this.path, 'read');
		// As long as the shell may write, a process closing the pipe does not end it for the next one.
		const held = sync.openFile(this.path, 'write');
		await calls.opened(end);
		let isHeld = true;
		const release = async () => {
			if (isHeld) {
				isHeld = false;
				await calls.close(held);
			}
		};
		const stopped = this.#stopped.then(release);
		const isRead = await this.#collect(end);
		await release();
		await calls.close(end);
		if (!isRead) await this.#refuseAll();
		await stopped;
	}

	/** Ends processes that write although nothing reads any more, as SIGPIPE does. */
	async #refuseAll(): Promise<void> {
		const { sync, async: calls } = this.shell.host.context;
		for (let isOpen: true | null = true; isOpen;) {
			const end = sync.openFile(this.path, 'read');
			isOpen = await this.#opened(end);
			await calls.close(end);
		}
	}

	/** Writes to a process that reads. Returns true at the end, false if the process stops reading. */
	async #feed(end: number): Promise<boolean> {
		const { sync, async: calls } = this.shell.host.context;
		for (;;) {
			const bytes = await this.content.readUnless(this.#stopped, 65_536);
			if (bytes === null) return true;
			if (bytes.length === 0) {
				// A process that opens it from now on finds an empty file.
				sync.remove(this.path, { force: true });
				sync.writeFile(this.path, bytes);
				return true;
			}
			try {
				await calls.write(end, bytes);
			} catch {
				this.content.unread(bytes);
				return false;
			}
		}
	}

	/** Reads what processes write, to the end. Returns false if the script stops reading. */
	async #collect(end: number): Promise<boolean> {
		for (;;) {
			const bytes = await this.shell.host.context.async.read(end, 65_536);
			if (bytes.length === 0) return true;
			try {
				await this.content.write(bytes);
			} catch (error) {
				if (error instanceof BrokenPipe) return false;
				throw error;
			}
		}
	}

	/** Removes it at the end of its command. */
	async close(): Promise<void> {
		const { sync } = this.shell.host.context;
		this.#stop();
		await this.#serving;
		try {
			if (this.#isFile && this.access === 'write') await this.content.write(sync.readFile(this.path));
		} catch (error) {
			if (!(error instanceof BrokenPipe)) throw error;
		} finally {
			sync.remove(this.path, { force: true });
			this.content.release();
		}
	}
}
