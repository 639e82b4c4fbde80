import type { Lookup } from '../net/arguments.ts';
import { Socket } from '../net/socket.ts';
import type streams from '../stream.ts';
import { checkServerIdentity, type NamedCertificate } from './server-identity.ts';
import { TLSSocket, type TlsSocketOptions } from './tls-socket.ts';
import { distrusted } from './verification.ts';

type Duplex = InstanceType<typeof streams.Duplex>;
type Listener = (...args: unknown[]) => void;

export interface TlsConnectOptions extends TlsSocketOptions {
	host?: string;
	port?: number | string;
	path?: string | null;
	/** An existing connection. */
	socket?: Duplex;
	timeout?: number;
	lookup?: Lookup;
	family?: number;
	hints?: number;
	rejectUnauthorized?: boolean;
	checkServerIdentity?: (host: string, certificate: NamedCertificate) => Error | undefined;
}

/** `connect(options | port | path, host?, options?, listener?)`. */
export function connectOptions(args: readonly unknown[]): { options: TlsConnectOptions; listener?: Listener } {
	const listener = args.findLast((one): one is Listener => typeof one === 'function');
	const objects = args.filter((one): one is TlsConnectOptions => typeof one === 'object' && one !== null);
	const options: TlsConnectOptions = Object.assign({}, ...objects);
	const [first, second] = args;
	if (typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first))) {
		options.port = first;
		if (typeof second === 'string') options.host = second;
	} else if (typeof first === 'string') options.path = first;
	return { options, listener };
}

let hasWarned = false;

/** Returns whether a server must be trusted. `NODE_TLS_REJECT_UNAUTHORIZED=0` disables that. */
function mustBeTrusted({ rejectUnauthorized }: TlsConnectOptions): boolean {
	if (rejectUnauthorized !== undefined) return rejectUnauthorized;
	const { env, emitWarning } = Socket.runtime.process;
	if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return true;
	if (!hasWarned) {
		hasWarned = true;
		emitWarning(
			"Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to '0' makes TLS connections and HTTPS " +
				'requests insecure by disabling certificate verification.'
		);
	}
	return false;
}

/** `tls.connect`. */
export function connect(...args: unknown[]): TLSSocket {
	const { options: given, listener } = connectOptions(args);
	const rejectUnauthorized = mustBeTrusted(given);
	const host = given.servername || given.host || 'localhost';
	const servername = given.servername || undefined;
	const transport =
		given.socket ?? new Socket({ allowHalfOpen: given.allowHalfOpen, highWaterMark: given.highWaterMark });
	const socket = new TLSSocket(transport, { ...given, servername, isServer: false });
	socket._target = { path: given.path ?? undefined, host: given.host, port: given.port, localAddress: undefined };
	if (listener) socket.once('secureConnect', listener);
	if (given.timeout) socket.setTimeout(given.timeout);
	socket.once('secure', () => {
		const check = given.checkServerIdentity ?? checkServerIdentity;
		const error = problemOf(socket, host, check);
		socket.authorized = error === null;
		if (error) {
			socket.authorizationError = (error as Error & { code?: string }).code ?? error.message;
			if (rejectUnauthorized) return void socket.destroy(error);
		}
		socket.emit('secureConnect');
	});
	if (!given.socket) socket.connect(placeOf(given));
	// After the caller has been able to add listeners.
	Socket.runtime.loop.nextTick(() => socket._start(), []);
	return socket;
}

/** Options of the plain connection. */
const placeOf = ({ path, host, port, lookup, family, hints }: TlsConnectOptions): object =>
	path ? { path } : { host, port, lookup, family, hints };

/** Verifies the certificate of a server. @returns why it is not trusted */
function problemOf(
	socket: TLSSocket,
	host: string,
	check: NonNullable<TlsConnectOptions['checkServerIdentity']>
): Error | null {
	const distrust = socket._distrust();
	if (distrust) return distrusted(distrust);
	return check(host, (socket.getPeerCertificate(true) ?? {}) as NamedCertificate) || null;
}
