import { HOST_NAME } from './host-name.ts';

/** Names and addresses of this very machine; in the sandbox all are the same. */
export function isLocal(host: string): boolean {
	const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
	return (
		name === HOST_NAME || /^(|localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|::|::1|::ffff:127\.0\.0\.1)$/.test(name)
	);
}
