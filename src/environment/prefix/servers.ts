import { EnvironmentError } from '../errors.ts';
import { duplexStream } from '../local/duplex-stream.ts';
import { parseListening } from '../local/listening-sockets.ts';
import { PortWatch } from '../remote/port-watch.ts';
import type { ByteStream, ListeningPort, MachineServers } from '../remote/servers.ts';
import { AfterMark } from './after-mark.ts';
import type { ExecProcess } from './exec-channel.ts';
import { collected } from './collected.ts';
import { joinedStreams } from './joined-streams.ts';
import type { Prefix } from './prefix.ts';
import { OWNERS, PORTS, RELAY } from './server-scripts.ts';

const LOOK_MS = 1_000;
/** Time limit for an answer: the shell that prints the socket table may have been stopped or replaced. */
const ANSWER_MS = 10_000;
/** Concurrent connections: each is a remote program. */
const AT_ONCE = 24;
/** Limit for an answer, in characters. */
const MAX_ANSWER = 1024 * 1024;
const NO_RELAY = 69;

const noRelay = (code: number | null): EnvironmentError | undefined =>
	code === NO_RELAY
		? new EnvironmentError('EUNAVAILABLE', 'The image has neither bash nor nc to reach a server with.')
		: undefined;

/**
 * Servers behind a prefix that leads to a separate network, such as a container's: everything that listens there
 * belongs to the session.
 */
export class PrefixServerPorts implements MachineServers {
	readonly #watch: PortWatch;
	readonly #sockets: SocketLister;
	#owners = new Map<string, ListeningPort>();
	#running = 0;
	readonly #waiting: (() => void)[] = [];

	/** @param hidden port that does not belong to the session */
	constructor(
		private readonly prefix: Prefix,
		private readonly hidden: number | undefined
	) {
		this.#sockets = new SocketLister(prefix);
		this.#watch = new PortWatch(() => this.#look(), LOOK_MS);
	}

	get ports(): readonly ListeningPort[] {
		return this.#watch.ports;
	}

	onPorts(listener: () => void): () => void {
		return this.#watch.onPorts(listener);
	}

	refresh(): Promise<void> {
		return this.#watch.refreshSoon();
	}

	async connect(port: number): Promise<ByteStream> {
		if (!this.ports.some((each) => each.port === port)) await this.#watch.refresh();
		if (!this.ports.some((each) => each.port === port))
			throw new EnvironmentError('ECONNREFUSED', `Nothing listens on port ${port} of the machine.`);
		if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
		else this.#running++;
		const child = this.prefix.run(RELAY, [String(port)]);
		child.once('close', () => {
			const next = this.#waiting.shift();
			if (next) next();
			else this.#running--;
		});
		return duplexStream(joinedStreams(child, this.prefix.beginning, noRelay));
	}

	stop(): void {
		this.#watch.stop();
		this.#sockets.stop();
	}

	async #look(): Promise<readonly ListeningPort[]> {
		const sockets = parseListening(await this.#sockets.list()).filter(({ port }) => port !== this.hidden);
		if (sockets.some(({ inode }) => !this.#owners.has(inode))) this.#owners = await this.#ownersOf(sockets);
		return sockets.flatMap(({ inode }) => this.#owners.get(inode) ?? []);
	}

	async #ownersOf(sockets: readonly { port: number; inode: string }[]): Promise<Map<string, ListeningPort>> {
		const names = sockets.map(({ inode }) => inode);
		const { stdout } = await collected(this.prefix.run(OWNERS, names), { beginning: this.prefix.beginning });
		const owners = new Map(
			stdout.split('\0').map((line) => {
				const [inode = '', pid = '', ...command] = line.split(' ');
				return [
					inode,
					{ pid: /^\d{1,10}$/.test(pid) ? Number(pid) : 0, command: command.join(' ').trim().slice(0, 1_000) }
				];
			})
		);
		// A socket whose process cannot be read is still a server.
		return new Map(
			sockets.map(({ inode, port }) => [inode, { port, ...(owners.get(inode) ?? { pid: 0, command: '' }) }])
		);
	}
}

/** Requests the socket table from one long-lived remote shell. */
class SocketLister {
	#shell: ExecProcess | undefined;
	#answer: { take(text: string): void; fail(): void } | undefined;
	#text = '';

	constructor(private readonly prefix: Prefix) {}

	/** Rejects if the shell ends or does not answer in time; the next call starts another one. */
	list(): Promise<string> {
		return new Promise((resolve, reject) => {
			const shell = (this.#shell ??= this.#start());
			const late = setTimeout(() => this.#end(shell), ANSWER_MS);
			this.#answer = {
				take: (text) => {
					clearTimeout(late);
					resolve(text);
				},
				fail: () => {
					clearTimeout(late);
					reject(new Error('The shell over there has ended.'));
				}
			};
			shell.stdin.write('\n');
		});
	}

	stop(): void {
		const shell = this.#shell;
		const answer = this.#answer;
		this.#shell = this.#answer = undefined;
		shell?.stdin.end();
		shell?.kill('SIGKILL');
		answer?.fail();
	}

	#end(shell: ExecProcess): void {
		if (this.#shell === shell) this.stop();
	}

	#start(): ExecProcess {
		const shell = this.prefix.run(PORTS);
		const own = new AfterMark(this.prefix.beginning);
		this.#text = '';
		const end = (): void => this.#end(shell);
		shell.once('error', end);
		shell.once('close', end);
		shell.stderr.resume();
		shell.stdout.on('data', (bytes: Buffer) => {
			this.#text += own.add(bytes).toString('latin1');
			if (this.#text.length > MAX_ANSWER) return end();
			const at = this.#text.indexOf('\0');
			if (at === -1) return;
			this.#answer?.take(this.#text.slice(0, at));
			this.#answer = undefined;
			this.#text = this.#text.slice(at + 1);
		});
		return shell;
	}
}
