import type { Runtime } from '../../runtime/runtime.ts';
import { Server } from '../net/server.ts';
import { Socket } from '../net/socket.ts';
import { Http2ServerRequest } from './compatibility/request.ts';
import { Http2ServerResponse } from './compatibility/response.ts';
import { type Connectors, connect } from './connect.ts';
import type { ClientHttp2Session } from './client-session.ts';
import { constants } from './constants.ts';
import type { FileSystem } from './file-response.ts';
import { sensitiveHeaders } from './header-lists.ts';
import { Http2SecureServer, Http2Server, type Http2ServerOptions } from './server.ts';
import { ServerHttp2Session } from './server-session.ts';
import { ServerHttp2Stream } from './server-stream.ts';
import { serverOptions } from './session-options.ts';
import { defaultSettings, packedSettings, unpackedSettings } from './session-settings.ts';
import type { Duplex } from './session-socket.ts';

const PROMISIFIED = Symbol.for('nodejs.util.promisify.custom');

/** Resolves once a session is connected. */
const connectedBy = (open: (...args: unknown[]) => ClientHttp2Session) => (authority: unknown, options: unknown) =>
	new Promise((resolve, reject) => {
		const session = open(authority, options, () => {
			session.removeListener('error', reject);
			resolve(session);
		});
		session.once('error', reject);
	});

/** `node:http2`, between programs of the sandbox. Other hosts are refused with `ENOTFOUND`. */
export function createHttp2(runtime: Runtime, get: (name: string) => unknown): Record<string, unknown> {
	Socket.runtime = Server.runtime = runtime;
	ServerHttp2Stream.fs = get('fs') as FileSystem;
	const connectors = { net: get('net'), tls: get('tls') } as Connectors;
	const open = (...args: unknown[]) => connect(connectors, ...args);
	const warn = (words: string) => runtime.process.emitWarning(words);
	return {
		connect: Object.assign((...args: unknown[]) => open(...args), { [PROMISIFIED]: connectedBy(open) }),
		constants,
		createServer: (given: unknown, listener?: unknown) =>
			typeof given === 'function' ? new Http2Server({}, given) : new Http2Server(given as Http2ServerOptions, listener),
		createSecureServer: (options?: Http2ServerOptions, listener?: unknown) => new Http2SecureServer(options, listener),
		getDefaultSettings: defaultSettings,
		getPackedSettings: (settings?: unknown) => packedSettings(settings, warn),
		getUnpackedSettings: unpackedSettings,
		performServerHandshake: (socket: Duplex, options: Http2ServerOptions = {}) =>
			new ServerHttp2Session(serverOptions(options), socket),
		sensitiveHeaders,
		Http2ServerRequest,
		Http2ServerResponse
	};
}
