import { equalBytes } from '@noble/ciphers/utils.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { KeyObject, materialOf } from '../../crypto/keys.ts';
import type { KeyMaterial } from '../../crypto/asymmetric/part/material.ts';
import { X509Certificate } from '../../crypto/certificates/x509-certificate.ts';
import { alertName, ALERTS, type AlertName, TlsAlert } from './alerts.ts';
import type { CipherSuite } from './cipher-suites.ts';
import type { KeySchedule, TrafficSecrets } from './key-schedule.ts';
import {
	MESSAGE,
	message,
	readCertificateVerify,
	signedContent,
	writeCertificates,
	writeCertificateVerify
} from './messages.ts';
import { ALERT, APPLICATION_DATA, CHANGE_CIPHER_SPEC, HANDSHAKE, RecordLayer, type TlsRecord } from './records.ts';
import { signWith, verifyWith } from './signature-schemes.ts';
import { number } from './wire.ts';

/** Private key and its certificate chain, the key's own certificate first. */
export interface Identity {
	key: KeyMaterial;
	/** Encoded as DER. */
	chain: readonly Uint8Array[];
}

/** Alert sent by the peer. */
export class ReceivedAlert extends Error {
	constructor(readonly alert: AlertName) {
		super(`alert ${alert.replaceAll('_', ' ')}`);
	}
}

export interface SessionEvents {
	/** Receives bytes for the peer. */
	output(bytes: Uint8Array): void;
	/** Called when the handshake has finished. */
	secured(): void;
	data(bytes: Uint8Array): void;
	/** Called when the peer has ended its output. */
	ended(): void;
	/** Called when the connection cannot continue; the peer has been notified. */
	failed(error: TlsAlert | ReceivedAlert): void;
}

type Side = 'client' | 'server';

/** Longer messages are refused: no certificate chain needs more. */
const MAX_MESSAGE_BYTES = 256 * 1024;
const MESSAGE_HEADER_BYTES = 4;
const FATAL = 2;
const WARNING = 1;

/** One side of a TLS 1.3 connection (RFC 8446): bytes in, bytes out. Never throws because of what the peer sends. */
export abstract class TlsSession {
	isSecure = false;
	/** Negotiated application protocol. */
	protocol: string | null = null;
	/** Certificates of the peer as DER, its own first. */
	peerChain: readonly Uint8Array[] = [];
	/** Signature schemes supported by both sides. */
	sharedSchemes: readonly number[] = [];
	/** Content of the `Finished` message sent, and of the one received. */
	finished: Uint8Array | null = null;
	peerFinished: Uint8Array | null = null;
	protected readonly records = new RecordLayer();
	protected suite!: CipherSuite;
	protected schedule!: KeySchedule;
	protected handshakeSecrets!: TrafficSecrets;
	protected applicationSecrets!: TrafficSecrets & { exporter: Uint8Array };
	#messages: Uint8Array = new Uint8Array(0);
	#sent: Uint8Array[] = [];
	#isOver = false;
	#isPaused = false;

	constructor(
		protected readonly side: Side,
		protected readonly events: SessionEvents
	) {}

	get cipherSuite(): CipherSuite {
		return this.suite;
	}

	receive(bytes: Uint8Array): void {
		if (this.#isOver) return;
		this.records.add(bytes);
		this.#run();
	}

	/** Encrypts application data for the peer. */
	seal(plain: Uint8Array): Uint8Array {
		return this.records.write(APPLICATION_DATA, plain);
	}

	/** Message that announces the end of the output. */
	closing(): Uint8Array {
		return this.records.write(ALERT, Uint8Array.of(WARNING, ALERTS.close_notify));
	}

	/** Refuses the peer's last message. */
	fail(error: TlsAlert): void {
		if (this.#isOver) return;
		this.#isOver = true;
		const alert = Uint8Array.of(FATAL, ALERTS[error.alert]);
		if (error.isSent) this.events.output(this.records.write(ALERT, alert));
		this.events.failed(error);
	}

	/** Keying material for other protocols, after the handshake. */
	exported(label: string, context: Uint8Array, length: number): Uint8Array {
		return this.schedule.exported(this.applicationSecrets.exporter, label, context, length);
	}

	/** Handles the next handshake message. @throws TlsAlert */
	protected abstract take(type: number, body: Uint8Array, whole: Uint8Array): void;

	/** Handles no further messages until {@link resume}. */
	protected pause(): void {
		this.#isPaused = true;
	}

	/** Continues, running `work` first. */
	protected resume(work: () => void): void {
		if (this.#isOver) return;
		this.#isPaused = false;
		this.#guarded(work);
		this.#run();
	}

	/** Adds a message to the transcript. */
	protected record(whole: Uint8Array): void {
		this.#sent.push(Uint8Array.from(whole));
	}

	/** Hash of the messages so far. */
	protected transcript(): Uint8Array {
		return this.suite.hash(concatBytes(...this.#sent));
	}

	/** Sends handshake messages. */
	protected say(...messages: readonly Uint8Array[]): void {
		for (const one of messages) this.record(one);
		this.events.output(this.records.write(HANDSHAKE, concatBytes(...messages)));
	}

	/** Sends certificates and the proof that this side has their key. */
	protected sayIdentity(context: Uint8Array, identity: Identity, scheme: number): void {
		this.say(writeCertificates(context, identity.chain));
		const signature = signWith(scheme, identity.key, signedContent(this.side, this.transcript()));
		this.say(writeCertificateVerify(scheme, signature));
	}

	protected sayFinished(): void {
		this.finished = this.schedule.finished(this.handshakeSecrets[this.side], this.transcript());
		this.say(message(MESSAGE.FINISHED, this.finished));
	}

	/** @throws TlsAlert `decrypt_error` */
	protected checkFinished(body: Uint8Array): void {
		const expected = this.schedule.finished(this.handshakeSecrets[this.peer], this.transcript());
		if (!equalBytes(expected, body)) throw new TlsAlert('decrypt_error', 'digest check failed');
		this.peerFinished = expected;
	}

	/** @throws TlsAlert if the signature is not by the peer's key */
	protected checkVerify(body: Uint8Array): void {
		const { scheme, signature } = readCertificateVerify(body);
		const content = signedContent(this.peer, this.transcript());
		if (!verifyWith(scheme, this.#peerKey(), content, signature)) throw new TlsAlert('decrypt_error', 'bad signature');
	}

	protected get peer(): Side {
		return this.side === 'client' ? 'server' : 'client';
	}

	protected secured(): void {
		this.isSecure = true;
		this.#sent = [];
		this.events.secured();
	}

	#peerKey(): KeyMaterial {
		try {
			const { publicKey } = new X509Certificate(this.peerChain[0]);
			if (publicKey instanceof KeyObject) return materialOf(publicKey);
		} catch {
			// It is not a certificate.
		}
		throw new TlsAlert('bad_certificate', 'bad certificate');
	}

	#run(): void {
		this.#guarded(() => {
			while (!this.#isOver && !this.#isPaused) {
				if (this.#takeMessage()) continue;
				const record = this.records.next();
				if (!record) return;
				this.#takeRecord(record);
			}
		});
	}

	#guarded(work: () => void): void {
		try {
			work();
		} catch (error) {
			if (!(error instanceof TlsAlert)) throw error;
			this.fail(error);
		}
	}

	/** Handles a complete handshake message, if there is one. */
	#takeMessage(): boolean {
		const [type = 0, high = 0, middle = 0, low = 0] = this.#messages;
		if (this.#messages.length < MESSAGE_HEADER_BYTES) return false;
		const end = MESSAGE_HEADER_BYTES + (high << 16) + (middle << 8) + low;
		if (end > MAX_MESSAGE_BYTES) throw new TlsAlert('illegal_parameter', 'excessive message size');
		if (this.#messages.length < end) return false;
		const whole = this.#messages.subarray(0, end);
		this.#messages = this.#messages.subarray(end);
		const body = whole.subarray(MESSAGE_HEADER_BYTES);
		if (!this.isSecure) this.take(type, body, whole);
		else if (type === MESSAGE.KEY_UPDATE) this.#updateKeys(body);
		else if (type !== MESSAGE.NEW_SESSION_TICKET) throw new TlsAlert('unexpected_message');
		return true;
	}

	#takeRecord({ kind, content }: TlsRecord): void {
		if (kind === HANDSHAKE) this.#messages = concatBytes(this.#messages, content);
		else if (kind === ALERT) this.#takeAlert(content);
		else if (kind === APPLICATION_DATA && this.isSecure) this.events.data(content);
		else if (kind !== CHANGE_CIPHER_SPEC || this.isSecure) throw new TlsAlert('unexpected_message');
	}

	#takeAlert(content: Uint8Array): void {
		const name = alertName(content[1] ?? -1);
		if (name === 'user_canceled') return;
		this.#isOver = true;
		if (name === 'close_notify') this.events.ended();
		else this.events.failed(new ReceivedAlert(name ?? 'internal_error'));
	}

	/** Switches to the peer's next keys (RFC 8446, 4.6.3), and updates the own ones if requested. */
	#updateKeys(body: Uint8Array): void {
		const { suite, schedule, applicationSecrets: secrets, side, peer } = this;
		secrets[peer] = schedule.updated(secrets[peer]);
		this.records.readWith(suite, schedule.trafficKeys(secrets[peer]));
		if (body[0] !== 1) return;
		this.events.output(this.records.write(HANDSHAKE, message(MESSAGE.KEY_UPDATE, number(1, 0))));
		secrets[side] = schedule.updated(secrets[side]);
		this.records.writeWith(suite, schedule.trafficKeys(secrets[side]));
	}
}
