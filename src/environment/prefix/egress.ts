import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnswerEgress, MachineEgress } from '../remote/egress.ts';
import { AfterMark } from './after-mark.ts';
import { OF_THE_CONNECTION, readRequest, RefusedRequest } from './egress-request.ts';
import { CARRIER, LISTENER, LISTENERS, NO_LISTENER } from './egress-scripts.ts';
import { EgressTunnels, type EgressAuthority } from './egress-tunnels.ts';
import type { ExecProcess } from './exec-channel.ts';
import type { Prefix } from './prefix.ts';
import { joinedStreams } from './joined-streams.ts';

/** Concurrent connections: each is a remote program. */
const AT_ONCE = 16;
/** Connections that may wait for a free slot; beyond that, the oldest are refused. */
const MAX_WAITING = 256;
/** Above the range that systems use for ephemeral ports. */
const FIRST_PORT = 61_000;
const PORTS = 4_000;
const START_MS = 10_000;
const MAX_LINE = 4_096;
/** The page has already decoded the body. */
const DECODED = /^content-encoding$/i;
const NO_PAGE = 'No page is there to ask whether this request may leave.';
const NO_HTTP_2 = 'The proxy of this machine speaks HTTP/1.1 only.';
const NO_HTTP = 'This is no request of HTTP.';
/** File name in the directory of the pipes. */
const AUTHORITY_FILE = 'authority.pem';
/** Variables in which programs look for the file of trusted certificate authorities. */
const AUTHORITY_VARIABLES = [
	'SSL_CERT_FILE',
	'NODE_EXTRA_CA_CERTS',
	'REQUESTS_CA_BUNDLE',
	'CURL_CA_BUNDLE',
	'GIT_SSL_CAINFO',
	'PIP_CERT',
	'CARGO_HTTP_CAINFO',
	'npm_config_cafile'
];

/**
 * Proxy on the loopback of a machine without a network. Requests that programs send to it travel through execs to this
 * process, which parses them and passes them to the page.
 */
export class PrefixEgress implements MachineEgress {
	/** Port on the remote loopback; a different one each time, since the previous proxy may not have ended yet. */
	readonly port = FIRST_PORT + randomInt(PORTS);
	readonly #server = createServer((request, response) => void this.#respond(request, response));
	readonly #connections = new Set<Duplex>();
	readonly #waiting: string[] = [];
	readonly #tunnels: EgressTunnels;
	/** Remote directory of the pipes. */
	#pipes = '';
	#listener: ExecProcess | undefined;
	#answer: AnswerEgress | undefined;

	private constructor(
		private readonly prefix: Prefix,
		private readonly authority: EgressAuthority | undefined
	) {
		this.#tunnels = new EgressTunnels(authority, (connection) => void this.#server.emit('connection', connection));
		this.#server.on('connect', (request, socket: Duplex, first: Buffer) => this.#tunnels.open(request, socket, first));
		this.#server.on('clientError', refuseUnreadable);
	}

	/**
	 * Starts the proxy; `undefined` if no program on the other side can listen.
	 *
	 * @param authority absent if remote programs get no `https://`
	 * @param listeners programs to try, in order
	 */
	static async start(
		prefix: Prefix,
		{ authority, listeners = LISTENERS }: { authority?: EgressAuthority | undefined; listeners?: string } = {}
	): Promise<PrefixEgress | undefined> {
		const egress = new PrefixEgress(prefix, authority);
		return (await egress.#listen(listeners)) ? egress : undefined;
	}

	/** Variables through which programs find the proxy and trust its certificates. */
	get variables(): Record<string, string> {
		const proxy = `http://127.0.0.1:${this.port}`;
		const [names, local] = [['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'], 'localhost,127.0.0.1,::1'];
		const trusting = this.authority ? AUTHORITY_VARIABLES : [];
		return {
			...Object.fromEntries(names.map((name) => [name, proxy])),
			...Object.fromEntries(trusting.map((name) => [name, `${this.#pipes}/${AUTHORITY_FILE}`])),
			// Supported by Node 22.21, 24 and later.
			NODE_USE_ENV_PROXY: '1',
			no_proxy: local,
			NO_PROXY: local
		};
	}

	serve(answer: AnswerEgress): () => void {
		this.#answer = answer;
		return () => {
			if (this.#answer === answer) this.#answer = undefined;
		};
	}

	stop(): void {
		this.#answer = undefined;
		this.#waiting.length = 0;
		for (const connection of this.#connections) connection.destroy();
		this.#listener?.stdin.end();
		this.#listener?.kill('SIGKILL');
	}

	/** Resolves with `true` when the proxy listens, with `false` if it cannot. */
	#listen(listeners: string): Promise<boolean> {
		const listener = this.prefix.run(LISTENER, [
			String(this.port),
			listeners,
			this.authority?.certificate ?? '',
			AUTHORITY_FILE
		]);
		this.#listener = listener;
		const own = new AfterMark(this.prefix.beginning);
		let text = '';
		return new Promise((resolve) => {
			const late = setTimeout(() => resolve(false), START_MS);
			const end = (isListening: boolean): void => {
				clearTimeout(late);
				resolve(isListening);
			};
			listener.stderr.resume();
			listener.once('error', () => end(false));
			listener.once('close', (code) => {
				if (code !== NO_LISTENER) this.stop();
				end(false);
			});
			listener.stdout.on('data', (bytes: Buffer) => {
				const lines = (text + own.add(bytes).toString()).split('\n');
				text = lines.pop() ?? '';
				if (text.length > MAX_LINE) return this.stop();
				for (const line of lines) {
					if (this.#pipes !== '') this.#accept(line);
					else if (line.startsWith('/')) this.#pipes = line;
					if (this.#pipes !== '') end(true);
				}
			});
		});
	}

	/** Remote programs can announce connections too; that affects only themselves. */
	#accept(id: string): void {
		if (!/^\d{1,10}$/.test(id)) return;
		this.#waiting.push(`${this.#pipes}/${id}`);
		if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
		this.#carryNext();
	}

	#carryNext(): void {
		if (this.#connections.size >= AT_ONCE) return;
		const pipes = this.#waiting.shift();
		if (pipes === undefined) return;
		const connection = joinedStreams(this.prefix.run(CARRIER, [pipes]), this.prefix.beginning);
		this.#connections.add(connection);
		connection.once('close', () => {
			this.#connections.delete(connection);
			this.#carryNext();
		});
		connection.on('error', () => undefined);
		this.#server.emit('connection', connection);
	}

	async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		// One connection per request: idle ones would keep remote programs running.
		response.setHeader('connection', 'close');
		try {
			const asked = await readRequest(request, this.#tunnels.targetOf(request.socket));
			if (!this.#answer) throw new RefusedRequest(502, NO_PAGE);
			const { status, statusText, headers, body } = await this.#answer(asked);
			for (const [name, value] of headers)
				if (!OF_THE_CONNECTION.test(name) && !DECODED.test(name)) response.appendHeader(name, value);
			response.writeHead(status, statusText, { 'content-length': body.length }).end(body);
		} catch (error) {
			if (response.headersSent) return void response.destroy();
			const status = error instanceof RefusedRequest ? error.status : 403;
			const sentence = `${error instanceof Error ? error.message : String(error)}\n`;
			const length = Buffer.byteLength(sentence);
			response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': length });
			response.end(sentence);
		}
	}
}

/** Responds to requests that the server cannot parse. */
function refuseUnreadable(error: Error & { rawPacket?: Buffer }, socket: Duplex): void {
	if (!socket.writable) return void socket.destroy();
	const isHttp2 = error.rawPacket?.toString('latin1').startsWith('PRI * HTTP/2') ?? false;
	const status = isHttp2 ? '505 HTTP Version Not Supported' : '400 Bad Request';
	socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n${isHttp2 ? NO_HTTP_2 : NO_HTTP}\n`);
}
