import { HOST_NAME } from './host-name.ts';

/** Returns whether `host` is a name or address of this machine; in the sandbox all of them are equivalent. */
export function isLocal(host: string): boolean {
	const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
	return (
		name === HOST_NAME || /^(|localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|::|::1|::ffff:127\.0\.0\.1)$/.test(name)
	);
}
