import { toBase64Url } from './base64.ts';

/** Longer links break in mail and chat programs. Characters of the whole link. */
export const MAX_LINK_CHARACTERS = 8000;

/** Returns `null` when the link would be too long: the share then needs the server's store. */
export function inlineLink(siteUrl: string, data: Uint8Array): string | null {
	const link = `${siteUrl}#i=${toBase64Url(data)}`;
	return link.length < MAX_LINK_CHARACTERS ? link : null;
}

export function storedLink(siteUrl: string, id: string, key: Uint8Array): string {
	return `${siteUrl}#s=${id}.${toBase64Url(key)}`;
}
