import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AnswerEgress, EgressRequest, MachineEgress } from '../remote/egress.ts';
import { AfterMark } from './after-mark.ts';
import { CARRIER, LISTENER, LISTENERS, NO_LISTENER } from './egress-scripts.ts';
import type { ExecProcess } from './exec-channel.ts';
import type { Prefix } from './prefix.ts';
import { joinedStreams } from './joined-streams.ts';

/** Connections at the same time: each is a program over there. */
const AT_ONCE = 16;
/** Connections that wait for one of those to end; the oldest that are more are refused. */
const MAX_WAITING = 256;
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Above those that systems give to connections. */
const FIRST_PORT = 61_000;
const PORTS = 4_000;
const START_MS = 10_000;
const MAX_LINE = 4_096;
/** Headers that are about the connection to the proxy, and not about the request. */
const OF_THE_CONNECTION =
	/^(connection|proxy-connection|proxy-authorization|proxy-authenticate|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|expect)$/i;
/** The page has decoded the body. */
const DECODED = /^content-encoding$/i;
const NO_TUNNEL =
	'The proxy of this machine carries http:// requests only: what is in an encrypted tunnel cannot be shown to the user who decides about it.\n';
const NO_PAGE = 'No page is there to ask whether this request may leave.\n';

/**
 * Proxy on the loopback of a machine without a network. What programs send to it travels through execs to this process,
 * which reads the requests and hands them to the page.
 */
export class PrefixEgress implements MachineEgress {
	/** On the loopback over there; another one each time, since the one before may not have ended yet. */
	readonly port = FIRST_PORT + randomInt(PORTS);
	readonly #server = createServer((request, response) => void this.#respond(request, response));
	readonly #connections = new Set<Duplex>();
	readonly #waiting: string[] = [];
	#listener: ExecProcess | undefined;
	#answer: AnswerEgress | undefined;

	private constructor(private readonly prefix: Prefix) {
		this.#server.on('connect', (_request, socket: Duplex) => {
			socket.end(
				`HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(NO_TUNNEL)}\r\n\r\n${NO_TUNNEL}`
			);
		});
	}

	/** Starts the proxy; `undefined` where nothing over there can listen. @param listeners programs to try, in order */
	static async start(prefix: Prefix, listeners = LISTENERS): Promise<PrefixEgress | undefined> {
		const egress = new PrefixEgress(prefix);
		return (await egress.#listen(listeners)) ? egress : undefined;
	}

	/** Variables by which programs find the proxy. */
	get variables(): Record<string, string> {
		const proxy = `http://127.0.0.1:${this.port}`;
		const [names, local] = [['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'], 'localhost,127.0.0.1,::1'];
		return { ...Object.fromEntries(names.map((name) => [name, proxy])), no_proxy: local, NO_PROXY: local };
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

	/** Resolves when the proxy listens, with `false` if it cannot. */
	#listen(listeners: string): Promise<boolean> {
		const listener = this.prefix.run(LISTENER, [String(this.port), listeners]);
		this.#listener = listener;
		const own = new AfterMark(this.prefix.beginning);
		let [text, pipes] = ['', ''];
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
					if (pipes !== '') this.#accept(pipes, line);
					else if (line.startsWith('/')) pipes = line;
					if (pipes !== '') end(true);
				}
			});
		});
	}

	/** A program over there can announce connections too: they are its own. */
	#accept(pipes: string, id: string): void {
		if (!/^\d{1,10}$/.test(id)) return;
		this.#waiting.push(`${pipes}/${id}`);
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
		// One connection a request: idle ones would be programs over there.
		response.setHeader('connection', 'close');
		const refuse = (code: number, text: string): void =>
			void response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
		try {
			const asked = await readRequest(request);
			if (typeof asked === 'number')
				return refuse(asked, asked === 413 ? 'This request is too large.\n' : 'A proxy takes absolute addresses.\n');
			if (!this.#answer) return refuse(502, NO_PAGE);
			const { status, statusText, headers, body } = await this.#answer(asked);
			for (const [name, value] of headers)
				if (!OF_THE_CONNECTION.test(name) && !DECODED.test(name)) response.appendHeader(name, value);
			response.writeHead(status, statusText, { 'content-length': body.length }).end(body);
		} catch (error) {
			if (!response.headersSent) refuse(403, `${error instanceof Error ? error.message : String(error)}\n`);
			else response.destroy();
		}
	}
}

/** Reads a whole request; the status to refuse it with where it is none that a page can send. */
async function readRequest(request: IncomingMessage): Promise<EgressRequest | number> {
	const { method = 'GET', url = '', rawHeaders } = request;
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return 400;
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (size > MAX_BODY_BYTES) return 413;
		chunks.push(chunk);
	}
	const headers = rawHeaders.flatMap((name, at): [string, string][] => {
		const isName = at % 2 === 0 && !OF_THE_CONNECTION.test(name) && !/^host$/i.test(name);
		return isName ? [[name, rawHeaders[at + 1] ?? '']] : [];
	});
	return { method, url, headers, body: Buffer.concat(chunks) };
}
