import { equalBytes } from '@noble/ciphers/utils.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { asymmetric } from '../../crypto/asymmetric/load.ts';
import { random } from '../../crypto/random.ts';
import { TlsAlert } from './alerts.ts';
import { CIPHER_SUITES } from './cipher-suites.ts';
import { KeySchedule } from './key-schedule.ts';
import {
	EXTENSION,
	keyShare,
	MESSAGE,
	protocolsExtension,
	readCertificateRequest,
	readCertificates,
	readEncryptedExtensions,
	readProtocols,
	readServerHello,
	RETRY_RANDOM,
	selectedKey,
	serverNameExtension,
	TLS_1_3,
	writeCertificates,
	writeClientHello,
	X25519
} from './messages.ts';
import { type Identity, type SessionEvents, TlsSession } from './session.ts';
import { SCHEME_IDS, schemeFor } from './signature-schemes.ts';
import { number, numbers, vector, WireReader } from './wire.ts';

export interface ClientSettings {
	/** Host name, for servers with several; undefined for an address. */
	serverName: string | undefined;
	/** Offered application protocols, in order of preference. */
	protocols: readonly string[];
	/** Sent to a server that requests a certificate. */
	identity: Identity | undefined;
}

type Awaited = 'hello' | 'extensions' | 'certificate' | 'verify' | 'finished';

/** Client side of a connection. */
export class ClientSession extends TlsSession {
	readonly #pair = asymmetric().generateOkp('x25519');
	readonly #sessionId = random(32);
	#awaited: Awaited = 'hello';
	#request: { context: Uint8Array; schemes: number[] } | null = null;

	constructor(
		private readonly settings: ClientSettings,
		events: SessionEvents
	) {
		super('client', events);
	}

	start(): void {
		const { serverName, protocols } = this.settings;
		const extensions = new Map<number, Uint8Array>([
			[EXTENSION.SUPPORTED_GROUPS, numbers([X25519])],
			[EXTENSION.SIGNATURE_ALGORITHMS, numbers(SCHEME_IDS)],
			[EXTENSION.SUPPORTED_VERSIONS, vector(1, number(2, TLS_1_3))],
			[EXTENSION.KEY_EXCHANGE_MODES, vector(1, number(1, 1))],
			[EXTENSION.KEY_SHARE, vector(2, keyShare(this.#pair.point))]
		]);
		if (serverName !== undefined) extensions.set(EXTENSION.SERVER_NAME, serverNameExtension(serverName));
		if (protocols.length > 0) extensions.set(EXTENSION.ALPN, protocolsExtension(protocols));
		const suites = CIPHER_SUITES.map(({ id }) => id);
		this.say(writeClientHello({ random: random(32), sessionId: this.#sessionId, suites, extensions }));
	}

	protected override take(type: number, body: Uint8Array, whole: Uint8Array): void {
		const awaited = this.#awaited;
		if (awaited === 'hello' && type === MESSAGE.SERVER_HELLO) this.#takeHello(body, whole);
		else if (awaited === 'extensions' && type === MESSAGE.ENCRYPTED_EXTENSIONS) this.#takeExtensions(body);
		else if (awaited === 'certificate' && type === MESSAGE.CERTIFICATE_REQUEST && !this.#request)
			this.#request = readCertificateRequest(body);
		else if (awaited === 'certificate' && type === MESSAGE.CERTIFICATE) this.#takeCertificates(body);
		else if (awaited === 'verify' && type === MESSAGE.CERTIFICATE_VERIFY) {
			this.checkVerify(body);
			this.#awaited = 'finished';
		} else if (awaited === 'finished' && type === MESSAGE.FINISHED) return this.#takeFinished(body, whole);
		else throw new TlsAlert('unexpected_message');
		if (type !== MESSAGE.SERVER_HELLO) this.record(whole);
	}

	#takeHello(body: Uint8Array, whole: Uint8Array): void {
		const hello = readServerHello(body);
		if (equalBytes(hello.random, RETRY_RANDOM)) throw new TlsAlert('illegal_parameter', 'bad hello retry request');
		const version = hello.extensions.get(EXTENSION.SUPPORTED_VERSIONS);
		if (!version || new WireReader(version).number(2) !== TLS_1_3)
			throw new TlsAlert('protocol_version', 'unsupported protocol');
		const suite = CIPHER_SUITES.find(({ id }) => id === hello.suite);
		const share = hello.extensions.get(EXTENSION.KEY_SHARE);
		if (!suite) throw new TlsAlert('illegal_parameter', 'wrong cipher returned');
		if (!share) throw new TlsAlert('missing_extension', 'no suitable key share');
		if (!equalBytes(hello.sessionId, this.#sessionId)) throw new TlsAlert('illegal_parameter', 'invalid session id');
		this.suite = suite;
		this.schedule = new KeySchedule(suite);
		this.record(whole);
		const secrets = this.schedule.handshake(sharedSecret(this.#pair, selectedKey(share)), this.transcript());
		this.handshakeSecrets = secrets;
		this.records.readWith(suite, this.schedule.trafficKeys(secrets.server));
		this.records.writeWith(suite, this.schedule.trafficKeys(secrets.client));
		this.#awaited = 'extensions';
	}

	#takeExtensions(body: Uint8Array): void {
		const protocols = readEncryptedExtensions(body).get(EXTENSION.ALPN);
		const [protocol] = protocols ? readProtocols(protocols) : [];
		if (protocol !== undefined && !this.settings.protocols.includes(protocol))
			throw new TlsAlert('illegal_parameter', 'bad extension');
		this.protocol = protocol ?? null;
		this.#awaited = 'certificate';
	}

	#takeCertificates(body: Uint8Array): void {
		this.peerChain = readCertificates(body);
		if (this.peerChain.length === 0) throw new TlsAlert('decode_error', 'length mismatch');
		this.#awaited = 'verify';
	}

	#takeFinished(body: Uint8Array, whole: Uint8Array): void {
		this.checkFinished(body);
		this.record(whole);
		this.applicationSecrets = this.schedule.application(this.transcript());
		if (this.#request) this.#sayIdentity(this.#request);
		this.sayFinished();
		const { suite, schedule, applicationSecrets } = this;
		this.records.readWith(suite, schedule.trafficKeys(applicationSecrets.server));
		this.records.writeWith(suite, schedule.trafficKeys(applicationSecrets.client));
		this.secured();
	}

	/** Responds to a certificate request, without a certificate if there is none that the server accepts. */
	#sayIdentity({ context, schemes }: { context: Uint8Array; schemes: number[] }): void {
		const { identity } = this.settings;
		const scheme = identity && schemeFor(identity.key, schemes);
		this.sharedSchemes = SCHEME_IDS.filter((id) => schemes.includes(id));
		if (identity && scheme !== undefined) this.sayIdentity(context, identity, scheme);
		else this.say(writeCertificates(context, []));
	}
}

/** @throws TlsAlert `illegal_parameter` for an invalid key */
export function sharedSecret(own: { secret?: Uint8Array | undefined }, other: Uint8Array): Uint8Array {
	const { KeyDataError, sharedX } = asymmetric();
	try {
		return sharedX('x25519', own.secret ?? concatBytes(), other);
	} catch (error) {
		if (error instanceof KeyDataError) throw new TlsAlert('illegal_parameter', 'bad key share');
		throw error;
	}
}
