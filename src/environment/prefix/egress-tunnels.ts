import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket, type SecureContext } from 'node:tls';

/** Certificate authority of one machine, whose programs trust it. */
export interface EgressAuthority {
	/** Its certificate, as PEM. */
	readonly certificate: string;
	/** Returns key and certificate of a host. */
	contextFor(host: string): Promise<SecureContext>;
}

/** Server that a program asked the proxy to connect it to. */
export interface TunnelTarget {
	host: string;
	/** As in an address: without the port where it is the usual one. */
	authority: string;
}

const HANDSHAKE_MS = 30_000;
const USUAL_PORT = 443;
/** Labels as DNS and certificates have them; the last one of an address would be a number. */
const HOST_AND_PORT = /^([a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*):(\d{1,5})$/i;
const MAX_HOST = 253;

const NO_AUTHORITY = 'The proxy of this machine carries http:// requests only.';
const NO_NAME =
	'The proxy of this machine connects to hosts by their names only, not to addresses: the user decides about a host by its name.';
const IN_A_TUNNEL = 'The proxy of this machine opens no tunnel in a tunnel.';

/**
 * Ends the encryption of programs of a machine that connect through its proxy, so that their requests can be shown and
 * decided about. What a program asks the proxy for and the name it gives in the handshake have to be the same.
 */
export class EgressTunnels {
	readonly #targets = new WeakMap<object, TunnelTarget>();

	/** @param deliver takes a connection that was decrypted */
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

	/** Returns the server that a decrypted connection is for; `undefined` for others. */
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
		// A program that does not trust the authority, or gives another name, ends the connection.
		secured.on('error', () => socket.destroy());
		secured.once('close', () => clearTimeout(late));
		secured.once('secure', () => {
			clearTimeout(late);
			this.#targets.set(secured, target);
			this.deliver(secured);
		});
	}
}

/** Parses what `CONNECT` asks for; `undefined` where it is an address or nothing. */
function toTarget(url: string): TunnelTarget | undefined {
	const [, name = '', digits = ''] = HOST_AND_PORT.exec(url) ?? [];
	const [host, port] = [name.toLowerCase(), Number(digits)];
	if (host === '' || host.length > MAX_HOST || port < 1 || port > 65_535) return undefined;
	// Numbers such as 2130706433 and 0x7f.1 are addresses too: the parser of addresses writes them out.
	const address = `https://${host}`;
	if (!URL.canParse(address) || new URL(address).hostname !== host || isIP(host) !== 0) return undefined;
	return { host, authority: port === USUAL_PORT ? host : `${host}:${port}` };
}

function refuse(socket: Duplex, status: string, sentence: string): void {
	const headers = `Connection: close\r\nContent-Type: text/plain\r\nContent-Length: ${sentence.length + 1}`;
	socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${sentence}\n`);
	// Unread, the connection would never be seen to close.
	socket.resume();
}
