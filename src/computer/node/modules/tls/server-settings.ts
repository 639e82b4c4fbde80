import { nodeError } from '../../runtime/errors.ts';
import { TlsAlert } from './protocol/alerts.ts';
import type { ServerSettings } from './protocol/server-session.ts';
import { protocolNames } from './protocols.ts';
import { SecureContext } from './secure-context.ts';

type ChosenContext = (error: Error | null, context?: SecureContext | null) => void;

/** Options of a server for its handshakes. */
export interface ServerSideOptions {
	SNICallback?: (serverName: string, done: ChosenContext) => void;
	ALPNProtocols?: unknown;
	ALPNCallback?: (client: { servername: string; protocols: string[] }) => string | undefined;
	requestCert?: boolean;
	rejectUnauthorized?: boolean;
}

interface Choices {
	/** Called with the host requested by a client, before a context is chosen for it. */
	named(serverName: string | undefined): void;
	/** Called with the context for the host of a connection. */
	chose(context: SecureContext): void;
	/** Called with an error of the program's own code that chooses a context or protocol. */
	failed(error: Error): void;
}

export function serverSettings(
	options: ServerSideOptions,
	context: SecureContext,
	{ named, chose, failed }: Choices
): ServerSettings {
	const { SNICallback, ALPNCallback, ALPNProtocols, requestCert = false, rejectUnauthorized = true } = options;
	return {
		choose(serverName, done) {
			named(serverName);
			if (!SNICallback || serverName === undefined || serverName === '') return done(null, context._identity);
			SNICallback(serverName, (error, chosen) => {
				if (error) return done(error);
				if (chosen && !(chosen.context instanceof SecureContext)) return done(new TypeError('Invalid SNI context'));
				const own = chosen?.context ?? context;
				chose(own);
				done(null, own._identity);
			});
		},
		selectProtocol(offered, serverName) {
			if (ALPNCallback) return called(ALPNCallback, offered, serverName, failed);
			const own = protocolNames(ALPNProtocols);
			if (own.length === 0) return null;
			const found = own.find((name) => offered.includes(name));
			if (found === undefined) throw noProtocol();
			return found;
		},
		asksForCertificate: requestCert,
		needsCertificate: requestCert && rejectUnauthorized,
		choiceFailed: failed
	};
}

function called(
	callback: NonNullable<ServerSideOptions['ALPNCallback']>,
	offered: readonly string[],
	serverName: string | undefined,
	failed: (error: Error) => void
): string {
	const chosen = callback({ servername: serverName ?? '', protocols: [...offered] });
	if (chosen !== undefined && offered.includes(chosen)) return chosen;
	if (chosen !== undefined) {
		const words = `ALPN callback returned a value (${chosen}) that did not match any of the client's offered protocols (${offered.join(', ')})`;
		failed(nodeError(TypeError, 'ERR_TLS_ALPN_CALLBACK_INVALID_RESULT', words));
	}
	throw noProtocol();
}

const noProtocol = (): TlsAlert => new TlsAlert('no_application_protocol', 'no application protocol');
