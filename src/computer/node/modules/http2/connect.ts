import { invalidArgument, outOfRange } from '../../runtime/errors.ts';
import { isIP } from '../net/address.ts';
import { ClientHttp2Session } from './client-session.ts';
import { unsupportedProtocol } from './errors.ts';
import { checkCustomSettings, serverOptions, type SessionOptions } from './session-options.ts';
import { objectOrNone } from './session-settings.ts';
import type { Duplex } from './session-socket.ts';

/** Options of `http2.connect`. */
interface ConnectOptions extends SessionOptions {
	protocol?: string;
	servername?: string;
	maxOriginSetSize?: number | null;
	createConnection?: (authority: object, options: object) => Duplex;
	ALPNCallback?: unknown;
	lookup?: unknown;
}

/** Parts of a URL, or an object with them. */
interface Authority {
	protocol?: string;
	hostname?: string;
	host?: string;
	port?: string | number;
}

const MAX_ORIGINS = 128;

/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_URL */
function authorityOf(given: unknown): Authority {
	if (typeof given === 'string') return new URL(given);
	if (given !== undefined && (given === null || typeof given !== 'object' || Array.isArray(given)))
		throw invalidArgument('authority', 'of type string or an instance of URL or Object', given);
	return (given ?? {}) as Authority;
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE */
function maxOriginsOf({ maxOriginSetSize: size }: ConnectOptions): number {
	if (size === undefined || size === null) return MAX_ORIGINS;
	const name = 'options.maxOriginSetSize';
	if (typeof size !== 'number') throw invalidArgument(name, 'of type number', size);
	if (!(size >= 0)) throw outOfRange(name, '>= 0', size);
	return size;
}

function hostOf({ hostname, host }: Authority): string {
	if (hostname) return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
	return host || 'localhost';
}

/** Modules that open connections. Programs replace their functions. */
export interface Connectors {
	net: { connect(options: object): Duplex };
	tls: { connect(port: string, host: string, options: object): Duplex };
}

/** Address of a server. */
interface Place {
	protocol: string;
	host: string;
	port: string;
}

function socketTo({ protocol, host, port }: Place, options: ConnectOptions, { net, tls }: Connectors): Duplex {
	if (protocol === 'http:') return net.connect({ port, host, ...options });
	if (protocol !== 'https:') throw unsupportedProtocol(protocol);
	const checked = serverOptions(options);
	const ALPNProtocols = checked.ALPNCallback ? undefined : ['h2'];
	const servername = checked.servername || (isIP(host) === 0 ? host : undefined);
	return tls.connect(port, host, { ...checked, ...(ALPNProtocols && { ALPNProtocols }), servername });
}

/**
 * `http2.connect`.
 *
 * @param connectors open the connection, unless the options do
 * @throws ERR_HTTP2_UNSUPPORTED_PROTOCOL, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE
 */
export function connect(connectors: Connectors, given?: unknown, ...args: unknown[]): ClientHttp2Session {
	const listener = args.find((one): one is () => void => typeof one === 'function');
	const options: ConnectOptions = { ...readOptions(args[0]) };
	const maxOrigins = maxOriginsOf(options);
	checkCustomSettings(options);
	const authority = authorityOf(given);
	const protocol = authority.protocol || options.protocol || 'https:';
	const usual = authority.protocol === 'http:' ? 80 : 443;
	const port = String(authority.port !== '' && authority.port !== undefined ? authority.port : usual);
	const host = hostOf(authority);
	const socket =
		typeof options.createConnection === 'function'
			? options.createConnection(authority, options)
			: socketTo({ protocol, host, port }, options, connectors);
	const session = new ClientHttp2Session(options, socket, {
		authority: `${options.servername || host}:${port}`,
		scheme: protocol.slice(0, -1),
		maxOrigins
	});
	if (listener) session.once('connect', listener);
	return session;
}

function readOptions(given: unknown): ConnectOptions {
	if (typeof given === 'function') return {};
	objectOrNone(given, 'options');
	return (given ?? {}) as ConnectOptions;
}
