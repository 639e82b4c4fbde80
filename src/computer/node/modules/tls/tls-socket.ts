import { Buffer } from 'buffer';
import { connectionReset, invalidArgument, nodeError } from '../../runtime/errors.ts';
import { functionValue, integer, optional, plainObject, string } from '../../runtime/validate.ts';
import { X509Certificate } from '../crypto/certificates/x509-certificate.ts';
import type { Handle } from '../net/handle.ts';
import { connectArguments } from '../net/arguments.ts';
import { Socket } from '../net/socket.ts';
import type streams from '../stream.ts';
import { defaultAuthorities } from './authorities.ts';
import { sslError, writeError } from './errors.ts';
import { schemeNames } from './protocol/signature-schemes.ts';
import { TlsAlert } from './protocol/alerts.ts';
import { ClientSession } from './protocol/client-session.ts';
import { ServerSession } from './protocol/server-session.ts';
import type { ReceivedAlert, SessionEvents, TlsSession } from './protocol/session.ts';
import { peerCertificate, type PeerCertificate } from './peer-certificate.ts';
import { streamHandle } from './stream-socket.ts';
import { createSecureContext, SecureContext, type SecureContextOptions } from './secure-context.ts';
import { serverSettings, type ServerSideOptions } from './server-settings.ts';
import { protocolNames } from './protocols.ts';
import { type Distrust, verifyChain } from './verification.ts';

type Duplex = InstanceType<typeof streams.Duplex>;
type Done = (error?: Error | null) => void;

export interface TlsSocketOptions extends SecureContextOptions, ServerSideOptions {
	isServer?: boolean;
	secureContext?: SecureContext;
	ALPNProtocols?: unknown;
	servername?: string;
	allowHalfOpen?: boolean;
	highWaterMark?: number;
	signal?: AbortSignal;
}

const MAX_UINT_32 = 2 ** 32 - 1;
/** Record content sizes that OpenSSL accepts. */
const MIN_FRAGMENT_BYTES = 512;
const MAX_FRAGMENT_BYTES = 16_384;
const LOST = 'Client network socket disconnected before secure TLS connection was established';

/** `tls.TLSSocket`: an encrypted connection over another stream. */
export class TLSSocket extends Socket {
	readonly encrypted = true;
	authorized = false;
	authorizationError: Error | string | null = null;
	alpnProtocol: string | false | null = null;
	servername: string | false | null = null;
	secureConnecting = true;
	_secureEstablished = false;
	_hadError = false;
	_tlsOptions: TlsSocketOptions;
	_parent: Duplex;
	_session: TlsSession;
	/** A server may choose another one for the requested host. */
	_context: SecureContext;
	_isStarted = false;
	_isClosing = false;
	/** Set while remaining writes still have to arrive, although the connection has ended. */
	_isFlushing = false;
	_isEnded = false;
	/** Fields of the error if the connection is lost before it is encrypted. */
	_target: object = {};

	/** @param given stream for the encrypted bytes; without one, a connection is opened */
	constructor(given?: Duplex | null, options: TlsSocketOptions = {}) {
		const { highWaterMark, signal } = options;
		const allowHalfOpen = given instanceof Socket ? given.allowHalfOpen : (!given && options.allowHalfOpen) || false;
		super({ allowHalfOpen, highWaterMark, signal });
		const transport = given ?? new Socket({ allowHalfOpen });
		this._tlsOptions = options;
		this._parent = transport;
		// The encrypted connection's closing message is sent after the peer's.
		transport.allowHalfOpen = true;
		this.servername = options.servername ?? null;
		this._context = options.secureContext ?? createSecureContext(options);
		this._session = options.isServer ? this._accepting() : this._startSession();
		if (transport instanceof Socket) this._follow(transport);
		this._listen(transport);
	}

	_startSession(): ClientSession {
		const { _identity: identity } = this._context;
		const { servername: serverName, ALPNProtocols } = this._tlsOptions;
		const protocols = protocolNames(ALPNProtocols);
		return new ClientSession({ serverName, protocols, identity }, this._sessionEvents());
	}

	_accepting(): ServerSession {
		const settings = serverSettings(this._tlsOptions, this._context, {
			named: (serverName) => (this.servername = serverName || false),
			chose: (context) => (this._context = context),
			failed: (error) => this._handshakeFailed(error)
		});
		return new ServerSession(settings, this._sessionEvents());
	}

	_sessionEvents(): SessionEvents {
		return {
			output: (bytes) => {
				if (!this._parent.destroyed && this._parent.writable) this._parent.write(bytes);
			},
			secured: () => this._secured(),
			data: (bytes) => {
				this._timer?.refresh();
				if (!this.push(Buffer.from(bytes))) this._parent.pause();
			},
			ended: () => this._end(),
			failed: (error) => this._failed(error)
		};
	}

	/** Adopts the addresses of a connection. */
	_follow(transport: Socket): void {
		this.server = transport.server;
		const take = () => {
			this.connecting = false;
			for (const name of ['localAddress', 'localPort', 'localFamily', '_peer'] as const)
				Object.assign(this, { [name]: transport[name] });
			this._isPeerKnown = true;
		};
		this.connecting = transport.connecting;
		if (!transport.connecting) return take();
		transport.once('connect', () => {
			take();
			if (this.destroyed) return;
			this.emit('connect');
			this.emit('ready');
		});
	}

	/** Opens the plain connection, as `net.Socket` does. */
	override connect(...args: unknown[]): this {
		const { options, listener } = connectArguments(args);
		if (listener) this.once('connect', listener);
		if (options.timeout) this.setTimeout(options.timeout);
		if (!(this._parent instanceof Socket)) return this;
		this._parent.connect(options);
		this._follow(this._parent);
		return this;
	}

	_listen(transport: Duplex): void {
		transport.on('data', (bytes: Uint8Array) => this._session.receive(new Uint8Array(bytes)));
		transport.on('end', () => this._lost() || this._end());
		transport.on('error', (error: Error) => {
			// The peer is gone without having received the closing message.
			if (this._isClosing) this.destroy();
			else this._handshakeFailed(error);
		});
		transport.on('close', () => this._lost() || this._closed());
	}

	/** Closes with the underlying stream, once received data have been read. */
	_closed(): void {
		if (this.readableEnded) return void this.destroy();
		this.once('end', () => this.destroy());
		this._end();
	}

	/** Starts the handshake of a client. */
	_start(): void {
		if (this._isStarted || this._tlsOptions.isServer) return;
		this._isStarted = true;
		if (this.connecting) this.once('connect', () => this._hello());
		else this._hello();
	}

	_hello(): void {
		if (this._session instanceof ClientSession && !this.destroyed) this._session.start();
	}

	_secured(): void {
		const session = this._session;
		this._secureEstablished = true;
		this.secureConnecting = false;
		this.alpnProtocol = session.protocol ?? false;
		this.servername ||= false;
		this.emit('secure');
		if (!this.destroyed) this.emit('_writable');
	}

	_failed(error: TlsAlert | ReceivedAlert): void {
		const isWriting = !this._tlsOptions.isServer && this.writableLength > 0;
		this._handshakeFailed(isWriting ? writeError(error) : sslError(error));
	}

	/** Ends the connection; on a server, the error is reported to the server. */
	_handshakeFailed(error: Error): void {
		if (this._hadError || this.destroyed) return;
		this._hadError = true;
		this._isFlushing = true;
		const isReported = this._tlsOptions.isServer === true && !this._secureEstablished;
		if (isReported) {
			this.emit('_tlsError', error);
			this.destroy();
		} else this.destroy(error);
	}

	/** Reports a connection that ends before it is encrypted. @returns whether that was the case */
	_lost(): boolean {
		if (this._secureEstablished || this.destroyed) return false;
		const isServer = this._tlsOptions.isServer === true;
		this._handshakeFailed(
			Object.assign(connectionReset(isServer ? 'socket hang up' : LOST), isServer ? {} : this._target)
		);
		return true;
	}

	/** The peer has ended its output. */
	_end(): void {
		if (this._isEnded || this.destroyed) return;
		this._isEnded = true;
		this.push(null);
		// The end is detected even if nothing is read.
		if (this.readableLength === 0) this.read(0);
	}

	override get _handle(): Handle | null {
		if (this.destroyed) return null;
		return this._parent instanceof Socket ? this._parent._handle : streamHandle(this, this._parent);
	}

	override set _handle(_handle: Handle | null) {
		// As for a plain connection.
	}

	override get pending(): boolean {
		return this.connecting;
	}

	override get readyState(): string {
		if (this.connecting) return 'opening';
		if (this.destroyed) return 'closed';
		if (this.readable && this.writable) return 'open';
		return this.readable ? 'readOnly' : this.writable ? 'writeOnly' : 'closed';
	}

	override _read(): void {
		this._parent.resume();
	}

	override _write(chunk: Uint8Array, encoding: unknown, done: Done): void {
		if (!this._secureEstablished) {
			this.once('_writable', () => this._write(chunk, encoding, done));
			return this._start();
		}
		this._timer?.refresh();
		this._written += chunk.length;
		this._parent.write(this._session.seal(chunk), done);
	}

	override _final(done: Done): void {
		if (!this._secureEstablished) {
			this.once('_writable', () => this._final(done));
			return this._start();
		}
		this._isClosing = true;
		if (this._parent.destroyed || !this._parent.writable) return done();
		this._parent.end(this._session.closing(), () => done());
	}

	override _destroy(error: Error | null, done: Done): void {
		const { _parent: parent } = this;
		if (this._isFlushing && parent instanceof Socket) parent.destroySoon();
		else parent.destroy();
		super._destroy(error, done);
	}

	override ref(): this {
		if (this._parent instanceof Socket) this._parent.ref();
		return this;
	}

	override unref(): this {
		if (this._parent instanceof Socket) this._parent.unref();
		return this;
	}

	/** Sets the host name to request from the server, before the handshake. */
	setServername(name: string): void {
		string(name, 'name');
		if (this._tlsOptions.isServer) {
			throw nodeError(Error, 'ERR_TLS_SNI_FROM_SERVER', 'Cannot issue SNI from a TLS server-side socket');
		}
		this._tlsOptions = { ...this._tlsOptions, servername: name };
		this.servername = name;
		if (!this._isStarted) this._session = this._startSession();
	}

	/** @param detailed includes the issuers' certificates */
	getPeerCertificate(detailed = false): PeerCertificate | null {
		if (!this._secureEstablished) return null;
		return peerCertificate(this._session.peerChain, detailed ? this._trusted() : null);
	}

	/** Authorities for verifying the peer's certificate. */
	_trusted(): readonly X509Certificate[] {
		return this._context._authorities ?? defaultAuthorities();
	}

	/** Verifies the peer's certificate. @returns why it is not trusted */
	_distrust(): Distrust | null {
		const chain = this._session.peerChain.map((der) => new X509Certificate(der));
		return verifyChain(chain, this._trusted(), this._tlsOptions.isServer ? 'client' : 'server');
	}

	/** The peer's certificate, including the issuers' certificates that were sent. */
	getPeerX509Certificate(): X509Certificate | undefined {
		const chain = this._session.peerChain.map((der) => new X509Certificate(der));
		for (const [index, one] of chain.entries()) {
			const issuer = chain[index + 1];
			if (issuer && one.checkIssued(issuer)) Object.defineProperty(one, 'issuerCertificate', { value: issuer });
		}
		return chain[0];
	}

	getX509Certificate(): X509Certificate | undefined {
		const [der] = this._context._identity?.chain ?? [];
		return der && new X509Certificate(der);
	}

	getCertificate(): object | null {
		return this.getX509Certificate()?.toLegacyObject() ?? {};
	}

	getProtocol(): string | null {
		return this.destroyed ? null : 'TLSv1.3';
	}

	getCipher(): { name: string; standardName: string; version: string } | undefined {
		if (!this._secureEstablished) return undefined;
		const { name } = this._session.cipherSuite;
		return { name, standardName: name, version: 'TLSv1.3' };
	}

	getEphemeralKeyInfo(): object | null {
		if (this._tlsOptions.isServer) return null;
		return this._secureEstablished ? { type: 'ECDH', name: 'X25519', size: 253 } : {};
	}

	getSharedSigalgs(): string[] {
		return schemeNames(this._session.sharedSchemes);
	}

	getFinished(): Buffer | undefined {
		return this._session.finished ? Buffer.from(this._session.finished) : undefined;
	}

	getPeerFinished(): Buffer | undefined {
		return this._session.peerFinished ? Buffer.from(this._session.peerFinished) : undefined;
	}

	/** @throws ERR_TLS_INVALID_STATE before the handshake is finished */
	exportKeyingMaterial(length: number, label: string, context: Uint8Array = new Uint8Array(0)): Buffer {
		integer(1, MAX_UINT_32)(length, 'length');
		string(label, 'label');
		if (!ArrayBuffer.isView(context))
			throw invalidArgument('context', 'an instance of Buffer, TypedArray, or DataView', context);
		if (!this._secureEstablished) {
			throw nodeError(Error, 'ERR_TLS_INVALID_STATE', 'TLS socket connection must be securely established');
		}
		return Buffer.from(this._session.exported(label, context, length));
	}

	/** Connections are never resumed here. */
	isSessionReused(): boolean {
		return false;
	}

	getSession(): undefined {
		return undefined;
	}

	getTLSTicket(): undefined {
		return undefined;
	}

	setSession(): void {
		// There are no sessions to resume.
	}

	/** @returns whether the size is valid; records still have the maximum size */
	setMaxSendFragment(size: number): boolean {
		integer()(size, 'size');
		return size >= MIN_FRAGMENT_BYTES && size <= MAX_FRAGMENT_BYTES;
	}

	/** TLS 1.3 does not support it. */
	renegotiate(options: unknown, done?: (error: Error) => void): boolean {
		plainObject(options, 'options');
		optional(functionValue)(done, 'callback');
		const error = nodeError(Error, 'ERR_SSL_WRONG_SSL_VERSION', 'error:0A00010A:SSL routines::wrong ssl version');
		Socket.runtime.loop.nextTick(() => done?.(error), []);
		return false;
	}

	disableRenegotiation(): void {
		// There is no renegotiation.
	}

	enableTrace(): void {
		// Nothing is printed.
	}
}
