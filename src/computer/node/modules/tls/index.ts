import type { Runtime } from '../../runtime/runtime.ts';
import { callable } from '../callable.ts';
import { Server } from '../net/server.ts';
import { Socket } from '../net/socket.ts';
import { getCACertificates, setDefaultCACertificates } from './authorities.ts';
import { connect } from './connect.ts';
import { CIPHER_SUITES } from './protocol/cipher-suites.ts';
import { convertProtocols } from './protocols.ts';
import { createSecureContext, SecureContext } from './secure-context.ts';
import { TlsServer } from './server.ts';
import { checkServerIdentity } from './server-identity.ts';
import { TLSSocket } from './tls-socket.ts';

const DEFAULT_CIPHERS = CIPHER_SUITES.map(({ name }) => name).join(':');

/** `node:tls` with TLS 1.3, between programs of the sandbox. Other hosts are refused with `ENETUNREACH`. */
export function createTls(runtime: Runtime): Record<string, unknown> {
	Socket.runtime = Server.runtime = runtime;
	const CallableServer = callable(TlsServer);
	return {
		CLIENT_RENEG_LIMIT: 3,
		CLIENT_RENEG_WINDOW: 600,
		DEFAULT_CIPHERS,
		DEFAULT_ECDH_CURVE: 'auto',
		DEFAULT_MIN_VERSION: 'TLSv1.2',
		DEFAULT_MAX_VERSION: 'TLSv1.3',
		rootCertificates: Object.freeze([]),
		getCACertificates,
		setDefaultCACertificates,
		getCiphers: () => CIPHER_SUITES.map(({ name }) => name.toLowerCase()),
		convertALPNProtocols: convertProtocols,
		checkServerIdentity,
		createSecureContext,
		SecureContext,
		TLSSocket: callable(TLSSocket),
		Server: CallableServer,
		createServer: (...args: ConstructorParameters<typeof TlsServer>) => new TlsServer(...args),
		connect
	};
}
