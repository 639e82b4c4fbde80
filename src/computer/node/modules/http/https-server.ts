import type { Buffer } from 'buffer';
import { Acceptor, type TlsServerOptions } from '../tls/acceptor.ts';
import type { SecureContext, SecureContextOptions } from '../tls/secure-context.ts';
import type { SecureServer } from '../tls/server.ts';
import { HttpServer } from './server.ts';

/** `https.Server`, on a port of the sandbox's own loopback. */
export class HttpsServer extends HttpServer implements SecureServer {
	static {
		Object.defineProperty(this, 'name', { value: 'Server' });
	}
	readonly _acceptor: Acceptor;

	constructor(options?: unknown, listener?: unknown) {
		super(options, listener);
		const given = typeof options === 'object' && options !== null ? (options as TlsServerOptions) : {};
		const { ALPNProtocols = given.ALPNCallback ? undefined : ['http/1.1'] } = given;
		this._acceptor = new Acceptor(this, { ...given, ALPNProtocols, allowHalfOpen: true });
		// Clients that fail before their first request count as client errors.
		this.on('tlsClientError', (error: Error, socket: { destroy(): void }) => {
			if (!this.emit('clientError', error, socket)) socket.destroy();
		});
	}

	override get _connectionEvent(): string {
		return 'secureConnection';
	}

	addContext(name: string, context: SecureContext | SecureContextOptions): void {
		this._acceptor.addContext(name, context);
	}

	setSecureContext(options: SecureContextOptions): void {
		this._acceptor.setSecureContext(options);
	}

	getTicketKeys(): Buffer {
		return this._acceptor.getTicketKeys();
	}

	setTicketKeys(keys: Uint8Array): void {
		this._acceptor.setTicketKeys(keys);
	}
}
