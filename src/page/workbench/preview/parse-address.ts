import type { PreviewTarget } from '../../preview/preview-state.svelte.ts';

/** Hosts by which a server in the tab is named. */
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])?:(\d{1,5})(?=[/?#]|$)/i;

/**
 * Reads what a user typed into the address bar: `localhost:3000/a`, `:3000/a`, a path such as `/a?b` on the server that
 * is displayed, or the path of a document of the project.
 *
 * @param shown what is displayed now
 * @returns `null` for an address outside the tab, which the preview does not display
 */
export function parseAddress(typed: string, shown: PreviewTarget): PreviewTarget | null {
	const text = typed.trim();
	const [local, digits] = LOCAL.exec(text) ?? [];
	if (local !== undefined) {
		const port = Number(digits);
		return port > 0 && port < 65_536 ? { kind: 'port', port, url: pathOf(text.slice(local.length)) } : null;
	}
	if (text === '' || /^[a-z][a-z\d+.-]*:|^\/\//i.test(text)) return null;
	if (shown.kind === 'port') return { ...shown, url: pathOf(text) };
	const path = text.replace(/^\/+/, '').replace(/[?#].*$/, '');
	return path === '' ? null : { kind: shown.kind, path };
}

/** Path and query with a slash first; a fragment stays in the browser. */
const pathOf = (text: string): string => {
	const path = text.replace(/#.*$/, '');
	return path.startsWith('/') ? path : `/${path}`;
};
