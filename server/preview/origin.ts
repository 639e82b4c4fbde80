import type { Configuration } from '../configuration/load.ts';

/** Origins of previews, shared by the server and the page. */
export interface PreviewPlace {
	/**
	 * Templates in the order the page tries them: with `*`, a name for each session and server; without, one
	 * origin that only one preview may use at a time.
	 * @param host the checked `Host` of the page's request
	 */
	origins(host: string): readonly string[];
	/** Checks whether a `Host` belongs to a preview and not to the page. */
	isPreview(host: string | undefined): boolean;
}

/** Ports of this machine, known once the server listens. */
export interface LocalPorts {
	page: number;
	/** Empty if other machines reach the server, or if the settings name an origin. */
	previews: readonly number[];
}

/**
 * Decides which origins previews use.
 *
 * On this machine, `<label>.localhost` comes first: a separate site, so that neither storage nor cookies are
 * shared with the page or with other previews. Browsers that block third-party storage (Debian's Chromium by
 * default, private windows) allow no service worker there, and Safari does not resolve the name. The other
 * ports of the page's own host work everywhere: their storage is separate, their cookies are not.
 * @param pageHosts `Host` values of the page
 */
export function previewPlace(
	{ SANDGLASS_PREVIEW_ORIGIN: named }: Configuration,
	ports: () => LocalPorts,
	pageHosts: () => readonly string[]
): PreviewPlace {
	if (named === 'off') return { origins: () => [], isPreview: () => false };
	if (named === undefined) return localPlace(ports, pageHosts);
	const expected = named.replace(/^https?:\/\//, '');
	return {
		origins: () => [named],
		isPreview(host) {
			const asked = host?.toLowerCase() ?? '';
			if (!expected.startsWith('*.')) return asked === expected;
			const label = asked.slice(0, -expected.length + 1);
			return asked.endsWith(expected.slice(1)) && LABEL.test(label);
		}
	};
}

function localPlace(ports: () => LocalPorts, pageHosts: () => readonly string[]): PreviewPlace {
	return {
		origins(host) {
			const name = nameOf(host);
			const { page, previews } = ports();
			// A page opened under another name is behind a proxy, which knows one port only.
			if (previews.length === 0 || !/^(localhost|127(\.\d{1,3}){3})$/.test(name)) return [];
			return [`http://*.localhost:${page}`, ...previews.map((port) => `http://${name}:${port}`)];
		},
		isPreview(host) {
			const asked = host?.toLowerCase() ?? '';
			const { page, previews } = ports();
			if (previews.length === 0 || pageHosts().includes(asked)) return false;
			const [, label = ''] = /^(.*)\.localhost:\d+$/.exec(asked) ?? [];
			if (asked.endsWith(`:${page}`)) return LABEL.test(label);
			return (
				previews.some((port) => asked.endsWith(`:${port}`)) && pageHosts().some((own) => nameOf(own) === nameOf(asked))
			);
		}
	};
}

const LABEL = /^[a-z0-9-]+$/;
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');
