import type { Configuration } from '../configuration/load.ts';

/** Where previews live that need an origin of their own; the server and the page agree through this. */
export interface PreviewPlace {
	/** As the page is told: `https://*.preview.example.org`, or one plain origin; `null` where there is none. */
	origin(host: string): string | null;
	/** Whether a `Host` is the preview's and not the page's. */
	isPreview(host: string | undefined): boolean;
}

/**
 * @param port what this server also listens on for previews, where it does. A name of its own, as `preview.localhost`,
 *   would be another site than `localhost`: browsers that block the storage of other sites' frames, as Debian's
 *   Chromium does from the start, then allow no service worker there. Another port is another origin on the same site.
 * @param pageHosts the names our own page is opened by
 */
export function previewPlace(
	{ SANDGLASS_PREVIEW_ORIGIN: named }: Configuration,
	port: () => number | null,
	pageHosts: () => readonly string[]
): PreviewPlace {
	if (named === 'off') return { origin: () => null, isPreview: () => false };
	if (named === undefined)
		return {
			origin: (host) => (port() === null ? null : `http://${nameOf(host)}:${port()}`),
			isPreview: (host) =>
				host !== undefined &&
				port() !== null &&
				host.endsWith(`:${port()}`) &&
				pageHosts().some((own) => nameOf(own) === nameOf(host))
		};
	const expected = named.replace(/^https?:\/\//, '');
	return {
		origin: () => named,
		isPreview(host) {
			const asked = host?.toLowerCase() ?? '';
			if (!expected.startsWith('*.')) return asked === expected;
			const label = asked.slice(0, -expected.length + 1);
			return asked.endsWith(expected.slice(1)) && /^[a-z0-9-]+$/.test(label);
		}
	};
}

const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');
