import { X509Certificate } from '../crypto/certificates/x509-certificate.ts';
import { Socket } from '../net/socket.ts';
import { createSecureContext } from './secure-context.ts';

let known: readonly X509Certificate[] | null = null;

/**
 * Default trusted authorities: those of the file in `NODE_EXTRA_CA_CERTS`. The tab has none of its own, because
 * connections of programs only reach servers of the tab.
 */
export function extraAuthorities(): readonly X509Certificate[] {
	return (known ??= readExtra());
}

function readExtra(): readonly X509Certificate[] {
	const { process, sys, resolvePath } = Socket.runtime;
	const file = process.env['NODE_EXTRA_CA_CERTS'];
	if (!file) return [];
	try {
		return createSecureContext({ ca: sys.readFile(resolvePath(file)) })._authorities ?? [];
	} catch (error) {
		const { message } = error as Error;
		process.emitWarning(`Ignoring extra certs from \`${file}\`, load failed: ${message}`);
		return [];
	}
}
