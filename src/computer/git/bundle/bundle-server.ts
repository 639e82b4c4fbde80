import { concat } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Carrier } from '../remote/carrier.ts';
import { FLUSH, inBand, packet } from '../remote/packet.ts';
import type { Repository } from '../repository.ts';
import { readBundle, requirePrerequisites } from './bundle-file.ts';

/**
 * Serves fetches from a bundle.
 *
 * @param into repository that gets the objects; null if only the references are asked for
 */
export function bundleServer(bytes: Uint8Array, shown: string, into: Repository | null): Carrier {
	const bundle = readBundle(bytes, shown);
	return {
		advertisement: (service) => {
			if (service !== 'git-upload-pack') throw fatal(`'${shown}' is a bundle, which gets no pushes`);
			// git lists them from the last one to the first.
			const rows = [...bundle.references]
				.reverse()
				.map(({ id, name }, at) => packet(`${id} ${name}${at === 0 ? '\0side-band-64k' : ''}\n`));
			return Promise.resolve(concat([...rows, FLUSH]));
		},
		async *request() {
			if (into) requirePrerequisites(into, bundle);
			yield concat([packet('NAK\n'), inBand(1, bundle.pack), FLUSH]);
		},
		close: () => Promise.resolve()
	};
}
