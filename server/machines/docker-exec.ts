import { EventEmitter } from 'node:events';
import { PassThrough, type Duplex } from 'node:stream';
import type Docker from 'dockerode';
import type { ExecChannel, ExecProcess } from '#environment/prefix/exec-channel.ts';

/** Starts programs in a container through the Docker Engine's API, without the `docker` program. */
export function dockerChannel(container: Docker.Container): ExecChannel {
	return { name: 'Docker', open: (argv) => new DockerExec(container, argv) };
}

/** One exec of the Engine: a hijacked connection with both outputs multiplexed on it. */
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
		container.modem.demuxStream(connection, this.stdout, this.stderr);
		this.stdin.pipe(connection);
		await new Promise<void>((resolve) => {
			for (const event of ['end', 'close', 'error']) connection.once(event, () => resolve());
		});
		this.stdin.destroy();
		const code = this.#isKilled ? null : (await exec.inspect()).ExitCode;
		this.emit('exit', code);
		const outputs = [this.stdout, this.stderr].map((output) => {
			const isRead =
				output.readableEnded || new Promise((resolve) => output.once('end', resolve).once('close', resolve));
			output.end();
			return isRead;
		});
		await Promise.all(outputs);
		this.emit('close', code);
	}
}
