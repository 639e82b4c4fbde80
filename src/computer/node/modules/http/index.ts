import { callable } from '../callable.ts';
import { isLocal } from '#computer/http/local-host.ts';
import { invalidArgument, nodeError, unsupported } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Server } from '../net/server.ts';
import { Socket } from '../net/socket.ts';
import { Agent, type AgentOptions } from './agent.ts';
import { ClientRequest, type RequestOptions } from './client.ts';
import { EgressSocket } from './egress-socket.ts';
import { validateHeaderName, validateHeaderValue } from './headers.ts';
import { IncomingMessage } from './incoming.ts';
import { OutgoingMessage } from './outgoing.ts';
import { ServerResponse } from './response.ts';
import { DEFAULT_HEADER_BYTES, HttpServer } from './server.ts';
import { METHODS, STATUS_CODES } from './status.ts';

type Listener = (response: IncomingMessage) => void;

/**
 * `node:http` and `node:https`. Servers, and requests to this machine, are over the sandbox's own loopback;
 * requests to other hosts go through the page, which asks about them.
 */
export function createHttp(runtime: Runtime, scheme: 'http:' | 'https:'): Record<string, unknown> {
	Socket.runtime = Server.runtime = OutgoingMessage.runtime = Agent.runtime = runtime;
	const defaultPort = scheme === 'https:' ? 443 : 80;
	class OwnAgent extends Agent {
		override defaultPort = defaultPort;
		override protocol = scheme;
		constructor(options?: AgentOptions) {
			super(options);
		}
	}
	Object.defineProperty(OwnAgent, 'name', { value: 'Agent' });
	const module: Record<string, unknown> & { globalAgent: Agent } = {
		globalAgent: new OwnAgent({ keepAlive: true, timeout: 5000 })
	};

	const request = (...args: unknown[]): ClientRequest => {
		const { options, listener } = requestArguments(args);
		const protocol = options.protocol ?? (options.agent ? options.agent.protocol : undefined) ?? scheme;
		if (protocol !== scheme && !(options.agent && options.agent.protocol === protocol)) {
			throw nodeError(TypeError, 'ERR_INVALID_PROTOCOL', `Protocol "${protocol}" not supported. Expected "${scheme}"`);
		}
		const host = options.hostname ?? options.host ?? 'localhost';
		const full: RequestOptions = { ...options, protocol, host, port: options.port || defaultPort, defaultPort };
		const agent = options.agent === false ? new OwnAgent() : (options.agent ?? module.globalAgent);
		const sent = new ClientRequest(full, options.createConnection ? null : agent, listener);
		if (options.socketPath !== undefined) {
			sent.destroy(
				nodeError(Error, 'ENOTSUP', `connect ENOTSUP ${options.socketPath}: there are no socket files here`)
			);
		} else if (options.createConnection) {
			const made = options.createConnection(full, (error, socket) => {
				if (error || !socket) sent.destroy(error ?? undefined);
				else if (socket !== made) sent.onSocket(socket);
			});
			if (made) sent.onSocket(made);
		} else if (isLocal(host.replace(/^\[|\]$/g, '')) || isForeign(agent)) {
			if (scheme === 'https:' && !isForeign(agent)) {
				sent.destroy(unsupported(`https: to ${host}`, 'Servers in the sandbox speak plain HTTP: use http:.'));
			} else agent.addRequest(sent, full);
		} else {
			const shown = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
			const port = Number(full.port) === defaultPort ? '' : `:${full.port}`;
			sent.onSocket(new EgressSocket(`${scheme}//${shown}${port}`));
		}
		return sent;
	};
	/** An agent with a way of its own to reach its hosts: a proxy's, a mock's. */
	const isForeign = (agent: Agent) =>
		agent.addRequest !== Agent.prototype.addRequest || agent.createConnection !== Agent.prototype.createConnection;

	const refuse = () => {
		throw unsupported('https.createServer()', 'Use http.createServer(): nothing here leaves the tab.');
	};
	return Object.assign(module, {
		request,
		get: (...args: unknown[]) => {
			const sent = request(...args);
			sent.end();
			return sent;
		},
		WebSocket: globalThis.WebSocket,
		CloseEvent: globalThis.CloseEvent,
		MessageEvent: globalThis.MessageEvent,
		ClientRequest,
		IncomingMessage: callable(IncomingMessage),
		ServerResponse: callable(ServerResponse),
		OutgoingMessage: callable(OutgoingMessage),
		Server:
			scheme === 'https:'
				? class extends HttpServer {
						constructor() {
							super();
							refuse();
						}
					}
				: callable(HttpServer),
		createServer: scheme === 'https:' ? refuse : (...args: unknown[]) => new HttpServer(...args),
		Agent: callable(OwnAgent),
		METHODS,
		STATUS_CODES,
		maxHeaderSize: DEFAULT_HEADER_BYTES,
		setMaxIdleHTTPParsers: () => undefined,
		validateHeaderName,
		validateHeaderValue,
		_connectionListener: undefined
	});
}

/** `request(url?, options?, listener?)`. @throws ERR_INVALID_URL, ERR_INVALID_ARG_TYPE */
function requestArguments(args: unknown[]): { options: RequestOptions; listener?: Listener } {
	const listener = args.find((arg): arg is Listener => typeof arg === 'function');
	const [first, second] = args;
	const own: RequestOptions = first instanceof URL || typeof first === 'string' ? fromUrl(new URL(first)) : {};
	const given = typeof first === 'object' && first !== null && !(first instanceof URL) ? first : second;
	const options: RequestOptions = { ...own, ...(typeof given === 'object' ? given : {}) };
	const { host } = options;
	if (host !== undefined && host !== null && typeof host !== 'string') {
		throw invalidArgument('options.host', 'of type string or one of undefined or null', host);
	}
	if (host === null) options.host = undefined;
	return { options, listener };
}

function fromUrl(url: URL): RequestOptions {
	const auth = url.username ? `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` : undefined;
	return {
		protocol: url.protocol,
		hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
		port: url.port,
		path: url.pathname + url.search,
		...(auth === undefined ? {} : { auth })
	};
}
