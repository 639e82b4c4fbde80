import { parseShareFragment, type ShareAddress } from '#session/share/link.ts';

/** Meaning of the address's fragment. The key of a share never leaves the fragment. */
export type Route =
	| { kind: 'front' }
	/** `event`: the number of one of its events, to be shown. */
	| { kind: 'session'; id: string; event?: number }
	| { kind: 'import'; url: string; ref?: string }
	| ShareAddress
	/** Looks like a share, but a part of it is missing. */
	| { kind: 'damaged-share' };

const SESSION = /^session\/([\w-]+)(?:\/(\d{1,15}))?$/;
const REPOSITORY = /^gh\/([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:@(.+))?$/;

/**
 * Reads an address's fragment, with or without its `#`. What is not understood is the front page,
 * so that an old or mistyped link still leads somewhere.
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

/** The fragment of an open session's address. */
export function sessionHash(id: string): string {
	return `#session/${encodeURIComponent(id)}`;
}

/** The address of an event of the session that an address opens; `null` for an address of something else. */
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
