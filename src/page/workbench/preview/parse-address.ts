import type { PreviewTarget } from '../../preview/preview-state.svelte.ts';

/** Host names of a server in the tab. */
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])?:(\d{1,5})(?=[/?#]|$)/i;

/**
 * Parses the input of the address bar: `localhost:3000/a`, `:3000/a`, a path such as `/a?b` on the displayed server, or
 * the path of a document of the project.
 *
 * @param shown what is currently displayed
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

/** Path and query with a leading slash; a fragment stays in the browser. */
const pathOf = (text: string): string => {
	const path = text.replace(/#.*$/, '');
	return path.startsWith('/') ? path : `/${path}`;
};
