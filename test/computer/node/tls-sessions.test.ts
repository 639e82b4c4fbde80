import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectPlain, createServer, type Socket } from 'node:net';
import { connect, createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { privateKey } from '#computer/node/modules/crypto/asymmetric/key-input.ts';
import { X509Certificate } from '#computer/node/modules/crypto/certificates/x509-certificate.ts';
import { ClientSession, type ClientSettings } from '#computer/node/modules/tls/protocol/client-session.ts';
import { ServerSession, type ServerSettings } from '#computer/node/modules/tls/protocol/server-session.ts';
import type { Identity, SessionEvents, TlsSession } from '#computer/node/modules/tls/protocol/session.ts';
import fc from '#test/fast-check.ts';

const file = (name: string) => readFileSync(fileURLToPath(new URL(`./fixtures/tls/${name}`, import.meta.url)));
const pems = (name: string) => ({ key: file(`${name}.key`), cert: file(`${name}.crt`) });
const identity = (name: string): Identity => ({
	key: privateKey(file(`${name}.key`)),
	chain: [Uint8Array.from(new X509Certificate(file(`${name}.crt`)).raw)]
});

const PLAIN: ClientSettings = { serverName: 'localhost', protocols: [], identity: undefined };
const serverOf = (name: string, settings: Partial<ServerSettings> = {}): ServerSettings => ({
	choose: (_host, done) => done(null, identity(name)),
	selectProtocol: (offered) => offered[0] ?? null,
	asksForCertificate: false,
	needsCertificate: false,
	choiceFailed: (error) => {
		throw error;
	},
	...settings
});

interface Heard {
	text: Buffer;
	isEnded: boolean;
	failure: string | undefined;
}

/** Sends over a plain connection; the result contains what is received. */
function over(socket: Socket, make: (events: SessionEvents) => TlsSession, onSecured: (session: TlsSession) => void) {
	const heard: Heard = { text: Buffer.alloc(0), isEnded: false, failure: undefined };
	const session: TlsSession = make({
		output: (bytes) => void socket.write(bytes),
		secured: () => onSecured(session),
		data: (bytes) => (heard.text = Buffer.concat([heard.text, bytes])),
		ended: () => (heard.isEnded = true),
		failed: (error) => (heard.failure = error.message)
	});
	socket.on('data', (bytes) => session.receive(Uint8Array.from(bytes)));
	return { session, heard };
}

const TEXT = Buffer.from('a'.repeat(40_000));
const port = (server: { address(): unknown }) => (server.address() as { port: number }).port;

it.each(['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'])(
	'a client speaks with the machine’s own server by %s',
	async (ciphers) => {
		const settings = {
			...pems('server'),
			ca: file('authority.crt'),
			requestCert: true,
			ciphers,
			ALPNProtocols: ['two']
		};
		const server = createTlsServer(settings, (socket) => {
			socket.write(
				JSON.stringify([socket.authorized, socket.alpnProtocol, (socket as { servername?: string }).servername])
			);
			socket.on('data', (bytes) => socket.write(bytes));
			socket.on('end', () => socket.end());
		});
		await once(server.listen(0, '127.0.0.1'), 'listening');
		const socket = connectPlain(port(server), '127.0.0.1');
		const client = { ...PLAIN, protocols: ['one', 'two'], identity: identity('client') };
		const { session, heard } = over(
			socket,
			(events) => new ClientSession(client, events),
			() => void socket.write(session.seal(TEXT))
		);
		(session as ClientSession).start();
		await expect.poll(() => heard.text.length).toBeGreaterThan(TEXT.length);
		socket.write(session.closing());
		await expect.poll(() => heard.isEnded).toBe(true);
		expect(session.cipherSuite.name).toBe(ciphers);
		expect(session.protocol).toBe('two');
		expect(heard.text.toString()).toBe(`[true,"two","localhost"]${TEXT}`);
		expect(session.peerChain[0]).toEqual(identity('server').chain[0]);
		socket.destroy();
		server.close();
	}
);

it.each(['server', 'other', 'client', 'alone'])(
	'a server speaks with the machine’s own client by the key of %s',
	async (name) => {
		const server = createServer((socket) => {
			const settings = serverOf(name, { asksForCertificate: true, needsCertificate: true });
			const { session, heard } = over(
				socket,
				(events) => new ServerSession(settings, events),
				() => {
					const { serverName } = session as ServerSession;
					socket.write(session.seal(Buffer.from(JSON.stringify([serverName, session.protocol]))));
				}
			);
			socket.on('end', () => socket.end(Buffer.concat([session.seal(heard.text), session.closing()])));
		});
		await once(server.listen({ port: 0, host: '127.0.0.1' }), 'listening');
		const settings = { ...pems('alone'), servername: 'a.example', ALPNProtocols: ['one'], rejectUnauthorized: false };
		const socket = connect({ port: port(server), host: '127.0.0.1', ...settings });
		await once(socket, 'secureConnect');
		expect(socket.getPeerCertificate().raw).toEqual(Buffer.from(identity(name).chain[0] ?? []));
		let text = '';
		socket.on('data', (bytes) => (text += bytes.toString()));
		socket.end(TEXT);
		await once(socket, 'close');
		expect(text).toBe(`["a.example","one"]${TEXT}`);
		server.close();
	}
);

/** Connects both sides in memory; `change` receives each message and returns what arrives. */
function inMemory(change: (bytes: Uint8Array, index: number) => Uint8Array) {
	let index = 0;
	const queue: (() => void)[] = [];
	const outcomes: string[] = [];
	const events = (name: string, other: () => TlsSession): SessionEvents => ({
		output: (bytes) => {
			const arriving = change(Uint8Array.from(bytes), index++);
			queue.push(() => other().receive(arriving));
		},
		secured: () => outcomes.push(`${name} secured`),
		data: () => outcomes.push(`${name} data`),
		ended: () => outcomes.push(`${name} ended`),
		failed: () => outcomes.push(`${name} failed`)
	});
	const settings = serverOf('other', { asksForCertificate: true });
	const server: TlsSession = new ServerSession(
		settings,
		events('server', () => client)
	);
	const client: TlsSession = new ClientSession(
		{ ...PLAIN, identity: identity('alone') },
		events('client', () => server)
	);
	(client as ClientSession).start();
	for (let step = queue.shift(); step; step = queue.shift()) step();
	return { outcomes, messages: index };
}

it('both sides agree in memory', () => {
	expect(inMemory((bytes) => bytes).outcomes).toEqual(['client secured', 'server secured']);
});

it('a byte that was changed on its way fails the connection, or one that the protocol ignores', () => {
	fc.assert(
		fc.property(fc.nat({ max: 5 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (message, place, flip) => {
			let isIgnored = false;
			const { outcomes } = inMemory((bytes, index) => {
				if (index !== message) return bytes;
				const at = place % bytes.length;
				// The version in an unencrypted record, such as both hellos, is ignored (RFC 8446, 5.1).
				isIgnored = at === 2 && index < 2;
				bytes[at] = (bytes[at] ?? 0) ^ flip;
				return bytes;
			});
			const isSecured = outcomes.includes('client secured') && outcomes.includes('server secured');
			expect(isSecured).toBe(isIgnored);
		}),
		{ numRuns: 60 }
	);
});

it('bytes that are no messages end a session without an exception', () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isFramed) => {
			const header = Uint8Array.of(22, 3, 3, 0, bytes.length);
			const events: SessionEvents = {
				output: () => undefined,
				secured: () => expect.unreachable(),
				data: () => expect.unreachable(),
				ended: () => undefined,
				failed: () => undefined
			};
			for (const session of [new ServerSession(serverOf('other'), events), new ClientSession(PLAIN, events)]) {
				if (session instanceof ClientSession) session.start();
				session.receive(isFramed ? Buffer.concat([header, bytes]) : bytes);
			}
		}),
		{ numRuns: 200 }
	);
});
