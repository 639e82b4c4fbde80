import { Buffer } from 'buffer';
import { connectionReset, invalidArgument, nodeError } from '../../runtime/errors.ts';
import { random } from '../crypto/random.ts';
import { Server } from '../net/server.ts';
import type { Socket } from '../net/socket.ts';
import { convertProtocols } from './protocols.ts';
import { createSecureContext, SecureContext, type SecureContextOptions } from './secure-context.ts';
import { TLSSocket, type TlsSocketOptions } from './tls-socket.ts';
import { distrusted } from './verification.ts';

export interface TlsServerOptions extends TlsSocketOptions {
	/** Time limit of a handshake, in ms. */
	handshakeTimeout?: number;
	pauseOnConnect?: boolean;
}

const HANDSHAKE_MS = 120_000;
const TICKET_KEY_BYTES = 48;

/** Keys, contexts and handshakes of a server with encrypted connections. */
export class Acceptor {
	#context: SecureContext;
	#contexts: { pattern: RegExp; context: SecureContext }[] = [];
	#ticketKeys = Buffer.from(random(TICKET_KEY_BYTES));

	/** @throws ERR_INVALID_ARG_TYPE and errors of {@link createSecureContext} */
	constructor(
		private readonly server: Server,
		private readonly options: TlsServerOptions
	) {
		checkSettings(options);
		if (options.ALPNProtocols) convertProtocols(options.ALPNProtocols, server as Server & { ALPNProtocols?: unknown });
		this.#context = options.secureContext ?? createSecureContext(options);
		server.on('connection', (socket: Socket) => this.#secure(socket));
	}

	/** Encrypts an accepted connection; the server emits it afterwards. */
	#secure(transport: Socket): void {
		const { server, options } = this;
		const socket = new TLSSocket(transport, {
			...options,
			isServer: true,
			secureContext: this.#context,
			SNICallback: options.SNICallback ?? ((name, done) => done(null, this.#contextFor(name)))
		});
		socket.server = server;
		const limit = options.handshakeTimeout ?? HANDSHAKE_MS;
		let hasFailed = false;
		const failed = (error: Error) => {
			if (!hasFailed) server.emit('tlsClientError', error, socket);
			hasFailed = true;
		};
		// As in Node, the program has to end the connection.
		const timer = Server.runtime.timers.setTimeout(() => failed(timedOut()), limit).unref();
		socket.once('close', () => timer.close());
		socket.on('_tlsError', failed);
		socket.on('error', failed);
		socket.once('secure', () => {
			timer.close();
			socket.off('error', failed);
			if (options.requestCert && !this.#isTrusted(socket)) {
				failed(connectionReset('socket hang up'));
				return void socket.destroy();
			}
			server.emit('secureConnection', socket);
		});
	}

	/** Sets the verification result of a client. @returns whether the connection continues */
	#isTrusted(socket: TLSSocket): boolean {
		const distrust = socket._distrust();
		socket.authorized = distrust === null;
		if (distrust) socket.authorizationError = distrusted(distrust).code;
		return distrust === null || this.options.rejectUnauthorized === false;
	}

	#contextFor(name: string): SecureContext {
		return this.#contexts.findLast(({ pattern }) => pattern.test(name))?.context ?? this.#context;
	}

	/** Sets keys and certificates for host names, in which `*` matches one label. */
	addContext(name: string, context: SecureContext | SecureContextOptions): void {
		if (!name) {
			const words = '"servername" is required parameter for Server.addContext';
			throw nodeError(Error, 'ERR_TLS_REQUIRED_SERVER_NAME', words);
		}
		const source = name.replace(/[.^$+?\-\\[\]{}]/g, '\\$&').replaceAll('*', '[^.]*');
		const made = context instanceof SecureContext ? context : createSecureContext(context);
		this.#contexts.push({ pattern: new RegExp(`^${source}$`), context: made });
	}

	/** Replaces keys and certificates for future connections. */
	setSecureContext(options: SecureContextOptions): void {
		if (!options || typeof options !== 'object') throw invalidArgument('options', 'of type object', options);
		this.#context = createSecureContext(options);
	}

	getTicketKeys(): Buffer {
		return Buffer.from(this.#ticketKeys);
	}

	setTicketKeys(keys: Uint8Array): void {
		if (!ArrayBuffer.isView(keys))
			throw invalidArgument('buffer', 'an instance of Buffer, TypedArray, or DataView', keys);
		if (keys.byteLength !== TICKET_KEY_BYTES) throw new Error('Session ticket keys must be a 48-byte buffer');
		this.#ticketKeys = Buffer.from(keys);
	}
}

const timedOut = () => nodeError(Error, 'ERR_TLS_HANDSHAKE_TIMEOUT', 'TLS handshake timeout');

/** @throws ERR_INVALID_ARG_TYPE */
function checkSettings({ SNICallback, ALPNCallback, handshakeTimeout }: TlsServerOptions): void {
	for (const [name, value] of Object.entries({ SNICallback, ALPNCallback })) {
		if (value !== undefined && typeof value !== 'function')
			throw invalidArgument(`options.${name}`, 'of type function', value);
	}
	if (handshakeTimeout !== undefined && typeof handshakeTimeout !== 'number')
		throw invalidArgument('options.handshakeTimeout', 'of type number', handshakeTimeout);
}
