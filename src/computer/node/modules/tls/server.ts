import type { Buffer } from 'buffer';
import { invalidArgument } from '../../runtime/errors.ts';
import { Server } from '../net/server.ts';
import { Acceptor, type TlsServerOptions } from './acceptor.ts';
import type { SecureContext, SecureContextOptions } from './secure-context.ts';

type Listener = (...args: unknown[]) => void;

/** Methods of a server with encrypted connections. */
export interface SecureServer extends Server {
	readonly _acceptor: Acceptor;
	addContext(name: string, context: SecureContext | SecureContextOptions): void;
	setSecureContext(options: SecureContextOptions): void;
	getTicketKeys(): Buffer;
	setTicketKeys(keys: Uint8Array): void;
}

/** `tls.Server`: encrypted connections to a port of the sandbox's own loopback. */
export class TlsServer extends Server implements SecureServer {
	static {
		Object.defineProperty(this, 'name', { value: 'Server' });
	}
	readonly _acceptor: Acceptor;

	/** @throws ERR_INVALID_ARG_TYPE and errors of OpenSSL for keys and certificates */
	constructor(options?: TlsServerOptions | Listener | null, listener?: Listener) {
		if (!['undefined', 'object', 'function'].includes(typeof options))
			throw invalidArgument('options', 'of type object', options);
		const given = typeof options === 'object' && options !== null ? options : {};
		super({ allowHalfOpen: given.allowHalfOpen, pauseOnConnect: given.pauseOnConnect });
		this._acceptor = new Acceptor(this, given);
		const heard = typeof options === 'function' ? options : listener;
		if (heard) this.on('secureConnection', heard);
	}

	/** Servers of `node:https` are also servers of `node:tls`. */
	static override [Symbol.hasInstance](value: unknown): boolean {
		return value instanceof Server && (Object.hasOwn(value, '_acceptor') || TlsServer.prototype.isPrototypeOf(value));
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
