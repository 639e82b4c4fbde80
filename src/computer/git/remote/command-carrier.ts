import { isSyscallError } from '#computer/abi/client.ts';
import { concat } from '../bytes.ts';
import { withoutPlace } from '../discover.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import type { Carrier, Service } from './carrier.ts';
import { FLUSH } from './packet.ts';
import { isFlush, PacketReader } from './packet-reader.ts';
import { NOTHING_SAID } from './remote-address.ts';

const READ_BYTES = 65_536;

/** Program that reaches a service, whose stdin and stdout carry the conversation. */
export interface ServiceCommand {
	argv: readonly string[];
	env?: Readonly<Record<string, string>>;
	/** Request for the service, if the program does not start it by itself. */
	preface?: Uint8Array;
}

/** A program that runs, and the ends of its pipes. */
interface Running {
	pid: number;
	/** null once it is closed. */
	writer: number | null;
	reader: number;
	packets: PacketReader;
}

/** Carries a conversation through a program, which runs as any process started by git. */
export class CommandCarrier implements Carrier {
	#running: Running | null = null;

	/** @param commandFor program to run for a service */
	constructor(
		private readonly git: Invocation,
		private readonly commandFor: (service: Service) => ServiceCommand
	) {}

	async advertisement(service: Service): Promise<Uint8Array> {
		const running = (this.#running ??= await this.#start(service));
		try {
			return await readAdvertisement(running);
		} catch (error) {
			await this.#calls.close(running.reader);
			await this.#end(running);
			throw error;
		}
	}

	async *request(service: Service, body: Uint8Array): AsyncGenerator<Uint8Array> {
		// The service answers one request: for another one it is started again.
		if (!this.#running) await this.advertisement(service);
		const running = this.#running!;
		// Written while the response is read: either side may wait for the other one to read.
		const sent = this.#write(running, body).then(() => this.#closeWriter(running));
		try {
			let bytes = running.packets.takeRest();
			if (bytes.length === 0) bytes = await this.#read(running);
			if (bytes.length === 0) throw fatal('the remote end hung up unexpectedly');
			for (; bytes.length > 0; bytes = await this.#read(running)) yield bytes;
		} finally {
			await this.#calls.close(running.reader);
			await sent;
			await this.#end(running);
		}
	}

	async close(): Promise<void> {
		const running = this.#running;
		if (!running) return;
		await this.#write(running, FLUSH);
		await this.#calls.close(running.reader);
		await this.#end(running);
	}

	get #calls() {
		return this.git.context.async;
	}

	async #start(service: Service): Promise<Running> {
		const { git } = this;
		const { sync } = git.context;
		const { argv, env, preface } = this.commandFor(service);
		git.flush();
		const [input, output] = [sync.pipe(), sync.pipe()];
		const pid = sync.spawn({
			// The shell finds the program, as it finds those on its command lines.
			argv: ['sh', '-c', '"$@"', 'sh', ...argv],
			cwd: git.cwd,
			env: { ...withoutPlace(git.env), ...env },
			stdin: input.reader,
			stdout: output.writer
		});
		for (const end of [input.reader, output.writer]) sync.close(end);
		const running: Running = {
			pid,
			writer: input.writer,
			reader: output.reader,
			packets: new PacketReader(() => this.#read(running))
		};
		if (preface) await this.#write(running, preface);
		return running;
	}

	#read({ reader }: Running): Promise<Uint8Array> {
		return this.#calls.read(reader, READ_BYTES);
	}

	async #closeWriter(running: Running): Promise<void> {
		const { writer } = running;
		running.writer = null;
		if (writer !== null) await this.#calls.close(writer);
	}

	/** Waits for the program, which no longer gets anything. */
	async #end(running: Running): Promise<void> {
		this.#running = null;
		await this.#closeWriter(running);
		await this.#calls.waitPid(running.pid);
	}

	/** A program that ends early makes itself known by what it does not send. */
	async #write({ writer }: Running, bytes: Uint8Array): Promise<void> {
		try {
			if (writer !== null) await this.#calls.write(writer, bytes);
		} catch (error) {
			if (!isSyscallError(error) || error.code !== 'EPIPE') throw error;
		}
	}
}

/** Reads up to the end of the first section, or to an error of the service. @throws GitError if there is neither */
async function readAdvertisement({ packets }: Running): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	for (let packet = await packets.next(); packet !== null; packet = await packets.next()) {
		parts.push(packet);
		if (isFlush(packet)) return concat(parts);
	}
	// An error of the service has no end of a section.
	if (parts.length > 0) return concat(parts);
	throw fatal(NOTHING_SAID);
}
