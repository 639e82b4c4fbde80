import { toBase64Url } from './base64.ts';

/** Maximum characters of the whole link: longer ones break in mail and chat programs. */
export const MAX_LINK_CHARACTERS = 8000;

/** Returns `null` when the link would be too long: the share then needs the server's store. */
export function inlineLink(siteUrl: string, data: Uint8Array): string | null {
	const link = `${siteUrl}#i=${toBase64Url(data)}`;
	return link.length < MAX_LINK_CHARACTERS ? link : null;
}

export function storedLink(siteUrl: string, id: string, key: Uint8Array): string {
	return `${siteUrl}#s=${id}.${toBase64Url(key)}`;
}

/** Contents of a share link's fragment. */
export type ShareAddress = { kind: 'stored-share'; id: string; key: string } | { kind: 'inline-share'; data: string };

const STORED_SHARE = /^s=([\w-]+)\.([\w-]+)$/;
const INLINE_SHARE = /^i=([\w-]+(?:\.[\w-]+)*)$/;

/**
 * Parses the fragment of a link, with or without `#`. Returns `damaged` for a share link of which a part is
 * missing, `null` for anything else.
 */
export function parseShareFragment(fragment: string): ShareAddress | 'damaged' | null {
	const text = fragment.replace(/^#?\/?/, '');
	const stored = STORED_SHARE.exec(text);
	if (stored?.[1] && stored[2]) return { kind: 'stored-share', id: stored[1], key: stored[2] };
	const inline = INLINE_SHARE.exec(text);
	if (inline?.[1]) return { kind: 'inline-share', data: inline[1] };
	return /^[si]=/.test(text) ? 'damaged' : null;
}
