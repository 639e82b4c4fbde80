import { openAsBlob } from 'node:fs';
import process from 'node:process';
import type { ShareBundle } from '#session/contract.ts';
import { parseShareFragment } from '#session/share/link.ts';
import { Shares } from '#session/share/share.ts';
import { UsageError } from '../usage.ts';

/** A share and the site that it came from; `null` for a file. */
export interface OpenedShare {
	bundle: ShareBundle;
	site: string | null;
}

/**
 * Opens a share link or a session's file. Runs no code from it. Rejects with `ShareError`.
 *
 * @param source a link with the share in its fragment, or the path of a file
 * @throws UsageError if it is neither
 */
export async function openShare(source: string): Promise<OpenedShare> {
	const url = /^https?:\/\//i.test(source) && URL.canParse(source) ? new URL(source) : null;
	if (!url) return { bundle: await openFile(source), site: null };
	const address = parseShareFragment(url.hash);
	if (address === null) throw new UsageError('This link has no share in it: it ends in #s=… or #i=…. Copy it again.');
	if (address === 'damaged')
		throw new UsageError('This link is incomplete. Copy the whole link, with all after the #.');
	const site = new URL('./', `${url.origin}${url.pathname}`).href;
	return { bundle: await new Shares(site).open(address), site };
}

async function openFile(path: string): Promise<ShareBundle> {
	let file: Blob;
	try {
		file = await openAsBlob(path);
	} catch (error) {
		throw new UsageError(`There is no file ${path}. Give a link, or the path of a .sandglass file.`, { cause: error });
	}
	const passphrase = process.env['SANDGLASS_PASSPHRASE'] ?? null;
	// The site's address is only needed for links.
	return new Shares('http://localhost/').openFile(file, passphrase);
}
