import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket, type SecureContext } from 'node:tls';

/** Certificate authority of one machine, trusted by its programs. */
export interface EgressAuthority {
	/** Its certificate in PEM format. */
	readonly certificate: string;
	/** Returns key and certificate of a host. */
	contextFor(host: string): Promise<SecureContext>;
}

/** Server that a program asked the proxy to connect to. */
export interface TunnelTarget {
	host: string;
	/** Host as in a URL: without the port if it is the default one. */
	authority: string;
}

const HANDSHAKE_MS = 30_000;
const USUAL_PORT = 443;
/** Labels as in DNS and certificates; if the last one were a number, this would be an IP address. */
const HOST_AND_PORT = /^([a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*):(\d{1,5})$/i;
const MAX_HOST = 253;

const NO_AUTHORITY = 'The proxy of this machine carries http:// requests only.';
const NO_NAME =
	'The proxy of this machine connects to hosts by their names only, not to addresses: the user decides about a host by its name.';
const IN_A_TUNNEL = 'The proxy of this machine opens no tunnel in a tunnel.';

/**
 * Terminates TLS for programs of a machine that connect through its proxy, so that their requests can be shown and
 * allowed or denied. The host requested from the proxy and the name in the TLS handshake must be the same.
 */
export class EgressTunnels {
	readonly #targets = new WeakMap<object, TunnelTarget>();

	/** @param deliver receives a decrypted connection */
	constructor(
		private readonly authority: EgressAuthority | undefined,
		private readonly deliver: (connection: Duplex) => void
	) {}

	/** Answers a `CONNECT`, whose first bytes may have arrived with it. */
	open({ url = '' }: IncomingMessage, socket: Duplex, first: Buffer): void {
		if (!this.authority) return refuse(socket, '501 Not Implemented', NO_AUTHORITY);
		if (this.#targets.has(socket)) return refuse(socket, '400 Bad Request', IN_A_TUNNEL);
		const target = toTarget(url);
		if (!target) return refuse(socket, '403 Forbidden', NO_NAME);
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		if (first.length > 0) socket.unshift(first);
		this.#decrypt(this.authority, socket, target).catch(() => socket.destroy());
	}

	/** Returns the server that a decrypted connection is for; `undefined` for other connections. */
	targetOf(connection: object): TunnelTarget | undefined {
		return this.#targets.get(connection);
	}

	async #decrypt(authority: EgressAuthority, socket: Duplex, target: TunnelTarget): Promise<void> {
		const secureContext = await authority.contextFor(target.host);
		const secured = new TLSSocket(socket, {
			isServer: true,
			secureContext,
			ALPNProtocols: ['http/1.1'],
			SNICallback: (name, done) =>
				name.toLowerCase() === target.host ? done(null, secureContext) : done(new Error(`${name} is another host.`))
		});
		const late = setTimeout(() => socket.destroy(), HANDSHAKE_MS);
		// A program that does not trust the authority, or sends another name, closes the connection.
		secured.on('error', () => socket.destroy());
		secured.once('close', () => clearTimeout(late));
		secured.once('secure', () => {
			clearTimeout(late);
			this.#targets.set(secured, target);
			this.deliver(secured);
		});
	}
}

/** Parses the target of a `CONNECT`; `undefined` if it is an IP address or invalid. */
function toTarget(url: string): TunnelTarget | undefined {
	const [, name = '', digits = ''] = HOST_AND_PORT.exec(url) ?? [];
	const [host, port] = [name.toLowerCase(), Number(digits)];
	if (host === '' || host.length > MAX_HOST || port < 1 || port > 65_535) return undefined;
	// Numbers such as 2130706433 and 0x7f.1 are IP addresses too: the URL parser normalizes them.
	const address = `https://${host}`;
	if (!URL.canParse(address) || new URL(address).hostname !== host || isIP(host) !== 0) return undefined;
	return { host, authority: port === USUAL_PORT ? host : `${host}:${port}` };
}

function refuse(socket: Duplex, status: string, sentence: string): void {
	const headers = `Connection: close\r\nContent-Type: text/plain\r\nContent-Length: ${sentence.length + 1}`;
	socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${sentence}\n`);
	// If the data is not read, the close event never fires.
	socket.resume();
}
