import { fromBase64Url, toBase64Url } from './base64.ts';
import { ShareError } from './errors.ts';

/** A link longer than this goes wrong in mail and chat programs. Characters, the whole link. */
export const MAX_LINK_CHARACTERS = 8000;

export type ShareLink = { kind: 'inline'; data: Uint8Array } | { kind: 'stored'; id: string; key: Uint8Array };

/** `null` when it would be too long: the share then needs the server's store. */
export function inlineLink(siteUrl: string, data: Uint8Array): string | null {
	const link = `${siteUrl}#i=${toBase64Url(data)}`;
	return link.length < MAX_LINK_CHARACTERS ? link : null;
}

export function storedLink(siteUrl: string, id: string, key: Uint8Array): string {
	return `${siteUrl}#s=${id}.${toBase64Url(key)}`;
}

/** Reads the fragment of an address. `null` when it is no share link; throws `ShareError` `damaged` when it is a broken one. */
export function parseShareLink(hash: string): ShareLink | null {
	try {
		if (hash.startsWith('#i=')) return { kind: 'inline', data: fromBase64Url(hash.slice(3)) };
		if (!hash.startsWith('#s=')) return null;
		const [, id, key] = /^([A-Za-z0-9_-]{8,64})\.([A-Za-z0-9_-]+)$/.exec(hash.slice(3)) ?? [];
		if (id === undefined || key === undefined) throw new RangeError('shape');
		return { kind: 'stored', id, key: fromBase64Url(key) };
	} catch (error) {
		throw new ShareError('damaged', String(error));
	}
}
