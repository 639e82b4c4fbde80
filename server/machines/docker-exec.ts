import { EventEmitter } from 'node:events';
import { PassThrough, type Duplex } from 'node:stream';
import type Docker from 'dockerode';
import type { TerminalSize } from '#environment/contract.ts';
import type { ExecChannel, ExecProcess, ExecTerminal } from '#environment/prefix/exec-channel.ts';
import { demultiplex } from './demultiplex.ts';
import { whenRead } from './when-read.ts';

/** Starts programs in a container through the Docker Engine's API, without the `docker` program. */
export function dockerChannel(container: Docker.Container): ExecChannel {
	return {
		name: 'Docker',
		open: (argv) => new DockerExec(container, argv),
		openTerminal: (argv, size) => new DockerTerminal(container, argv, size)
	};
}

/** An exec of the Engine: a hijacked connection that multiplexes both outputs. */
class DockerExec extends EventEmitter implements ExecProcess {
	readonly stdin = new PassThrough();
	readonly stdout = new PassThrough();
	readonly stderr = new PassThrough();
	#connection: Duplex | undefined;
	#isKilled = false;

	constructor(container: Docker.Container, argv: readonly string[]) {
		super();
		this.stdin.on('error', () => undefined);
		this.#run(container, argv).catch((error: unknown) => {
			this.stdout.end();
			this.stderr.end();
			this.stdin.destroy();
			if (this.listenerCount('error') > 0) this.emit('error', error);
			this.emit('close', 127);
		});
	}

	kill(): boolean {
		this.#isKilled = true;
		this.#connection?.destroy();
		return true;
	}

	async #run(container: Docker.Container, argv: readonly string[]): Promise<void> {
		const exec = await container.exec({
			Cmd: [...argv],
			AttachStdin: true,
			AttachStdout: true,
			AttachStderr: true,
			Tty: false
		});
		const connection = await exec.start({ hijack: true, stdin: true, Tty: false });
		if (this.#isKilled) connection.destroy();
		this.#connection = connection;
		demultiplex(connection, this);
		this.stdin.pipe(connection);
		await new Promise<void>((resolve) => {
			for (const event of ['end', 'close', 'error']) connection.once(event, () => resolve());
		});
		this.stdin.destroy();
		const code = this.#isKilled ? null : (await exec.inspect()).ExitCode;
		this.emit('exit', code);
		await whenRead([this.stdout, this.stderr]);
		this.emit('close', code);
	}
}

/** An exec of the Engine on a terminal device in the container: one stream in both directions, without frames. */
class DockerTerminal implements ExecTerminal {
	readonly input = new PassThrough();
	readonly output = new PassThrough();
	readonly exited: Promise<number>;
	#exec: Docker.Exec | undefined;
	#connection: Duplex | undefined;
	#size: TerminalSize;
	/** Number of pending size changes. */
	#resizing = 0;
	#isClosed = false;

	constructor(container: Docker.Container, argv: readonly string[], size: TerminalSize) {
		this.#size = size;
		this.input.on('error', () => undefined);
		this.exited = this.#run(container, argv).catch((error: unknown) => {
			this.output.end(`\r\n${error instanceof Error ? error.message : String(error)}\r\n`);
			return 127;
		});
	}

	resize(size: TerminalSize): void {
		this.#size = size;
		void this.#resize();
	}

	close(): void {
		this.#isClosed = true;
		this.#connection?.destroy();
	}

	/** Sends the size to the Engine. Input typed meanwhile waits, so that programs it starts see the new size. */
	async #resize(): Promise<void> {
		const { rows, columns } = this.#size;
		this.#resizing += 1;
		if (this.#connection) this.input.unpipe(this.#connection);
		// Fails if the shell has ended.
		await this.#exec?.resize({ h: rows, w: columns }).catch(() => undefined);
		this.#resizing -= 1;
		if (this.#resizing === 0 && this.#connection?.destroyed === false) this.input.pipe(this.#connection);
	}

	async #run(container: Docker.Container, argv: readonly string[]): Promise<number> {
		const exec = await container.exec({
			Cmd: [...argv],
			AttachStdin: true,
			AttachStdout: true,
			AttachStderr: true,
			Tty: true
		});
		const connection = await exec.start({ hijack: true, stdin: true, Tty: true });
		this.#exec = exec;
		this.#connection = connection;
		if (this.#isClosed) connection.destroy();
		connection.pipe(this.output);
		// Older engines do not accept a size at the start.
		void this.#resize();
		await new Promise<void>((resolve) => {
			for (const event of ['end', 'close', 'error']) connection.once(event, () => resolve());
		});
		this.input.destroy();
		this.output.end();
		return (await exec.inspect()).ExitCode ?? 129;
	}
}
