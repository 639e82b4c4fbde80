import { METHODS } from '#computer/http/methods.ts';
import { callable } from '../callable.ts';
import { integer } from '../../runtime/validate.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { Server } from '../net/server.ts';
import { Socket } from '../net/socket.ts';
import { Agent } from './agent.ts';
import { ClientRequest } from './client.ts';
import { requestArguments } from './client-options.ts';
import { validateHeaderName, validateHeaderValue } from './headers.ts';
import { HttpsAgent } from './https-agent.ts';
import { HttpsServer } from './https-server.ts';
import { IncomingMessage } from './incoming.ts';
import { OutgoingMessage } from './outgoing.ts';
import { ServerResponse } from './response.ts';
import { DEFAULT_HEADER_BYTES, HttpServer } from './server.ts';
import { STATUS_CODES } from './status.ts';

/**
 * `node:http` and `node:https`. Servers, and requests to this machine, use the sandbox's own loopback; requests to
 * other hosts go through the page, which asks the user about them.
 */
export function createHttp(runtime: Runtime, scheme: 'http:' | 'https:'): Record<string, unknown> {
	Socket.runtime = Server.runtime = OutgoingMessage.runtime = Agent.runtime = runtime;
	const isSecure = scheme === 'https:';
	class OwnAgent extends (isSecure ? HttpsAgent : Agent) {}
	Object.defineProperty(OwnAgent, 'name', { value: 'Agent' });
	const OwnServer = isSecure ? HttpsServer : HttpServer;
	const module: Record<string, unknown> & { globalAgent: Agent } = {
		globalAgent: new OwnAgent({ keepAlive: true, timeout: 5000 })
	};
	if (scheme === 'http:') ClientRequest.standardAgent = module.globalAgent;
	const request = (...args: unknown[]): ClientRequest => {
		const { options, listener } = requestArguments(args);
		return new ClientRequest({ _defaultAgent: module.globalAgent, ...options }, listener);
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
		ClientRequest: callable(ClientRequest),
		IncomingMessage: callable(IncomingMessage),
		ServerResponse: callable(ServerResponse),
		OutgoingMessage: callable(OutgoingMessage),
		Server: callable(OwnServer),
		createServer: (...args: unknown[]) => new OwnServer(...args),
		Agent: callable(OwnAgent),
		METHODS,
		STATUS_CODES,
		maxHeaderSize: DEFAULT_HEADER_BYTES,
		setMaxIdleHTTPParsers: (max: unknown) => integer(1)(max, 'max'),
		validateHeaderName,
		validateHeaderValue,
		_connectionListener: undefined
	});
}
