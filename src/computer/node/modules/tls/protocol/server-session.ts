import { asymmetric } from '../../crypto/asymmetric/load.ts';
import { random } from '../../crypto/random.ts';
import { TlsAlert } from './alerts.ts';
import { CIPHER_SUITES } from './cipher-suites.ts';
import { sharedSecret } from './client-session.ts';
import { KeySchedule } from './key-schedule.ts';
import {
	type ClientHello,
	EXTENSION,
	keyShare,
	MESSAGE,
	protocolsExtension,
	readCertificates,
	readClientHello,
	readProtocols,
	readSchemes,
	readServerName,
	sharedKey,
	TLS_1_3,
	writeCertificateRequest,
	writeEncryptedExtensions,
	writeServerHello
} from './messages.ts';
import { type Identity, type SessionEvents, TlsSession } from './session.ts';
import { SCHEME_IDS, schemeFor } from './signature-schemes.ts';
import { number, readNumbers, WireReader } from './wire.ts';

export interface ServerSettings {
	/**
	 * Chooses the identity for a host; `done` may be called later. A server without one accepts no connections.
	 * @param serverName sent by the client; undefined if it did not
	 */
	choose(serverName: string | undefined, done: (error: Error | null, identity?: Identity) => void): void;
	/** Selects one of the offered application protocols; null for none. @throws TlsAlert `no_application_protocol` */
	selectProtocol(offered: readonly string[], serverName: string | undefined): string | null;
	asksForCertificate: boolean;
	/** Refuses clients that have no certificate although one was requested. */
	needsCertificate: boolean;
	/** Called when the program's code for the choice has failed. */
	choiceFailed(error: Error): void;
}

type Awaited = 'hello' | 'certificate' | 'verify' | 'finished';

/** Server side of a connection. */
export class ServerSession extends TlsSession {
	/** Host name requested by the client. */
	serverName: string | undefined;
	#awaited: Awaited = 'hello';

	constructor(
		private readonly settings: ServerSettings,
		events: SessionEvents
	) {
		super('server', events);
	}

	protected override take(type: number, body: Uint8Array, whole: Uint8Array): void {
		const awaited = this.#awaited;
		if (awaited === 'hello' && type === MESSAGE.CLIENT_HELLO) {
			this.record(whole);
			return this.#takeHello(readClientHello(body));
		}
		if (awaited === 'certificate' && type === MESSAGE.CERTIFICATE) this.#takeCertificates(body);
		else if (awaited === 'verify' && type === MESSAGE.CERTIFICATE_VERIFY) {
			this.checkVerify(body);
			this.#awaited = 'finished';
		} else if (awaited === 'finished' && type === MESSAGE.FINISHED) return this.#takeFinished(body);
		else throw new TlsAlert('unexpected_message');
		this.record(whole);
	}

	#takeHello(hello: ClientHello): void {
		const versions = hello.extensions.get(EXTENSION.SUPPORTED_VERSIONS);
		if (!versions || !readNumbers(new WireReader(versions).vector(1)).includes(TLS_1_3))
			throw new TlsAlert('protocol_version', 'unsupported protocol');
		const name = hello.extensions.get(EXTENSION.SERVER_NAME);
		this.serverName = name && readServerName(name);
		this.pause();
		this.settings.choose(this.serverName, (error, identity) => {
			if (error) this.settings.choiceFailed(error);
			else this.resume(() => this.#answer(hello, identity));
		});
	}

	#answer({ suites, sessionId, extensions }: ClientHello, identity: Identity | undefined): void {
		const schemes = readSchemes(extensions);
		this.sharedSchemes = SCHEME_IDS.filter((id) => schemes.includes(id));
		const scheme = identity && schemeFor(identity.key, schemes);
		if (!identity || scheme === undefined) throw new TlsAlert('handshake_failure', 'no suitable signature algorithm');
		const suite = CIPHER_SUITES.find(({ id }) => suites.includes(id));
		if (!suite) throw new TlsAlert('handshake_failure', 'no shared cipher');
		const share = extensions.get(EXTENSION.KEY_SHARE);
		const point = share && sharedKey(share);
		if (!point) throw new TlsAlert('handshake_failure', 'no suitable key share');
		this.suite = suite;
		this.schedule = new KeySchedule(suite);
		this.#sayHello(sessionId, point);
		this.#sayParameters(extensions.get(EXTENSION.ALPN));
		if (this.settings.asksForCertificate) this.say(writeCertificateRequest(SCHEME_IDS));
		this.sayIdentity(new Uint8Array(0), identity, scheme);
		this.sayFinished();
		this.applicationSecrets = this.schedule.application(this.transcript());
		this.records.writeWith(suite, this.schedule.trafficKeys(this.applicationSecrets.server));
		this.#awaited = this.settings.asksForCertificate ? 'certificate' : 'finished';
	}

	#sayHello(sessionId: Uint8Array, point: Uint8Array): void {
		const { suite, schedule } = this;
		const pair = asymmetric().generateOkp('x25519');
		const extensions = new Map([
			[EXTENSION.SUPPORTED_VERSIONS, number(2, TLS_1_3)],
			[EXTENSION.KEY_SHARE, keyShare(pair.point)]
		]);
		const shared = sharedSecret(pair, point);
		this.say(writeServerHello({ random: random(32), sessionId, suite: suite.id, extensions }));
		const secrets = schedule.handshake(shared, this.transcript());
		this.handshakeSecrets = secrets;
		this.records.readWith(suite, schedule.trafficKeys(secrets.client));
		this.records.writeWith(suite, schedule.trafficKeys(secrets.server));
	}

	#sayParameters(offered: Uint8Array | undefined): void {
		this.protocol = offered ? this.settings.selectProtocol(readProtocols(offered), this.serverName) : null;
		const extensions = new Map<number, Uint8Array>();
		if (this.protocol !== null) extensions.set(EXTENSION.ALPN, protocolsExtension([this.protocol]));
		this.say(writeEncryptedExtensions(extensions));
	}

	#takeCertificates(body: Uint8Array): void {
		this.peerChain = readCertificates(body);
		if (this.peerChain.length > 0) this.#awaited = 'verify';
		else if (!this.settings.needsCertificate) this.#awaited = 'finished';
		else throw new TlsAlert('certificate_required', 'peer did not return a certificate');
	}

	#takeFinished(body: Uint8Array): void {
		this.checkFinished(body);
		this.records.readWith(this.suite, this.schedule.trafficKeys(this.applicationSecrets.client));
		this.secured();
	}
}
