import { parseShareFragment, type ShareAddress } from '#session/share/link.ts';

/** Meaning of the URL's fragment. The key of a share never leaves the fragment. */
export type Route =
	| { kind: 'front' }
	/** `event`: number of an event of the session to show. */
	| { kind: 'session'; id: string; event?: number }
	| { kind: 'import'; url: string; ref?: string }
	| ShareAddress
	/** Looks like a share, but part of it is missing. */
	| { kind: 'damaged-share' };

const SESSION = /^session\/([\w-]+)(?:\/(\d{1,15}))?$/;
const REPOSITORY = /^gh\/([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:@(.+))?$/;

/**
 * Parses a URL fragment, with or without its `#`. Unknown fragments mean the front page, so that an old or mistyped
 * link still works.
 */
export function parseRoute(hash: string): Route {
	const text = hash.replace(/^#/, '');
	const path = text.replace(/^\//, '');
	if (path.startsWith('session/')) {
		const [, id, event] = SESSION.exec(decode(path)) ?? [];
		if (id === undefined) return { kind: 'front' };
		return event === undefined ? { kind: 'session', id } : { kind: 'session', id, event: Number(event) };
	}
	const repository = REPOSITORY.exec(decode(path));
	if (repository) {
		const [, owner, name, ref] = repository;
		const url = `https://github.com/${owner}/${name}`;
		return ref === undefined ? { kind: 'import', url } : { kind: 'import', url, ref };
	}
	const share = parseShareFragment(path);
	if (share === 'damaged') return { kind: 'damaged-share' };
	return share ?? { kind: 'front' };
}

/** Fragment of an open session's URL. */
export function sessionHash(id: string): string {
	return `#session/${encodeURIComponent(id)}`;
}

/** URL of an event in the session of a URL; `null` if the URL is not a session's. */
export function eventAddress(address: string, seq: number): string | null {
	const url = new URL(address);
	const route = parseRoute(url.hash);
	if (route.kind !== 'session') return null;
	url.hash = `${sessionHash(route.id)}/${seq}`;
	return url.href;
}

/** Decodes a fragment; an invalid `%` is preserved. */
function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
