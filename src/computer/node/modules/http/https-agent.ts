import type { Socket } from '../net/socket.ts';
import { connect } from '../tls/connect.ts';
import { Agent, type ConnectionOptions } from './agent.ts';

/** Options of a connection that are part of its key: only requests with equal ones can share it. */
const NAMED = [
	'ca',
	'cert',
	'clientCertEngine',
	'ciphers',
	'key',
	'pfx',
	'rejectUnauthorized',
	'servername',
	'minVersion',
	'maxVersion',
	'secureProtocol',
	'crl',
	'honorCipherOrder',
	'ecdhCurve',
	'dhparam',
	'secureOptions',
	'sessionIdContext',
	'sigalgs',
	'privateKeyIdentifier',
	'privateKeyEngine'
] as const;

/** Options that are part of the key even if their value is false. */
const NAMED_IF_DEFINED: readonly string[] = ['rejectUnauthorized', 'honorCipherOrder', 'secureOptions'];

/** `https.Agent`: encrypted connections. */
export class HttpsAgent extends Agent {
	override defaultPort = 443;
	override protocol = 'https:';

	override getName(options: ConnectionOptions = {}): string {
		const values = NAMED.map((name) => {
			const value: unknown = Reflect.get(options, name);
			if (name === 'servername' && value === options.host) return '';
			if (name === 'sigalgs') return value ? JSON.stringify(value) : '';
			if (NAMED_IF_DEFINED.includes(name)) return value === undefined ? '' : String(value);
			return value ? String(value) : '';
		});
		return [super.getName(options), ...values].join(':');
	}

	override createConnection(...args: unknown[]): Socket | undefined {
		const [port, host, options] = args;
		if (typeof port === 'object' && port !== null) return connect(own(port));
		return connect(own({ ...(options as object | undefined), port: Number(port), host: host as string | undefined }));
	}

	override get _standardConnection(): unknown {
		return HttpsAgent.prototype.createConnection;
	}
}

/** The path of a request is not that of a socket file. */
const own = (options: ConnectionOptions): object => ({ ...options, path: options.socketPath });
