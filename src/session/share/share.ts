import type { WorkspaceApi } from '#workspace/contract.ts';
import type { ShareBundle, StoredSession } from '../contract.ts';
import { fromBase64Url } from './base64.ts';
import { ShareBlobStore } from './blob-store.ts';
import { packBundle, unpackBundle } from './bundle.ts';
import { collectShare } from './collect.ts';
import { decrypt, encrypt } from './encryption.ts';
import { ShareError } from './errors.ts';
import { inlineLink, storedLink, type ShareAddress } from './link.ts';
import type { ShareSecret } from './redaction.ts';
import { openSessionFile, sealSessionFile } from './session-file.ts';

/** Creates and opens shares for one site. */
export class Shares {
	readonly #siteUrl: string;
	readonly #blobs: ShareBlobStore;

	/**
	 * Uses a site's address and store.
	 * @param siteUrl address of the page, without a fragment, e.g. `https://example.org/`
	 */
	constructor(siteUrl: string, blobs = new ShareBlobStore(siteUrl)) {
		this.#siteUrl = siteUrl;
		this.#blobs = blobs;
	}

	/**
	 * Describes the contents of a share before it is created.
	 *
	 * @param history includes the files of each checkpoint
	 */
	async describe(
		workspace: WorkspaceApi,
		stored: StoredSession,
		history = false
	): Promise<{
		entries: number;
		files: { path: string; bytes: number }[];
		base?: { url: string; commit: string };
		secrets: ShareSecret[];
		inline: boolean;
		bytes: number;
		checkpoints: number;
		commands: number;
	}> {
		const options = { viewOnly: false, keepSecrets: [], history };
		const { bundle, files, secrets } = await collectShare(workspace, stored, options);
		const packed = await packBundle(bundle);
		return {
			entries: bundle.entries.length,
			files,
			...(bundle.base ? { base: bundle.base } : {}),
			secrets,
			inline: inlineLink(this.#siteUrl, packed) !== null,
			bytes: packed.length,
			checkpoints: bundle.history?.length ?? 0,
			commands: bundle.receipt?.length ?? 0
		};
	}

	/** Exports the session as a file, encrypted if there is a passphrase. Rejects with `ShareError`. */
	async exportFile(
		workspace: WorkspaceApi,
		stored: StoredSession,
		request: { keepSecrets: string[]; history: boolean; passphrase: string }
	): Promise<Uint8Array> {
		const { bundle } = await collectShare(workspace, stored, { ...request, viewOnly: false });
		return sealSessionFile(await packBundle(bundle), request.passphrase);
	}

	/**
	 * Reads a session's file; rejects with `ShareError`: `passphrase` when it needs one, `wrong_passphrase` if the
	 * passphrase is wrong. Runs no code from the file.
	 */
	async openFile(file: Blob, passphrase: string | null): Promise<ShareBundle> {
		const packed = await openSessionFile(file, passphrase);
		return unpackBundle(packed).catch((error: unknown) => {
			// The message for links would mislead the user here.
			if (error instanceof ShareError && error.code === 'damaged') throw new ShareError('damaged_file', error.detail);
			throw error;
		});
	}

	/**
	 * Creates the link; rejects with `ShareError`. Small sessions are stored in the link itself, larger ones
	 * encrypted in the server's store.
	 */
	async create(
		workspace: WorkspaceApi,
		stored: StoredSession,
		request: { expiresInSeconds: number; viewOnly: boolean; keepSecrets: string[]; history?: boolean }
	): Promise<{ url: string; expiresAt?: number; id?: string; deleteToken?: string }> {
		const { bundle } = await collectShare(workspace, stored, request);
		const packed = await packBundle(bundle);
		const inline = inlineLink(this.#siteUrl, packed);
		if (inline !== null) return { url: inline };
		const { key, sealed } = await encrypt(packed);
		const { id, deleteToken, expiresAt } = await this.#blobs.put(sealed, request.expiresInSeconds);
		return { url: storedLink(this.#siteUrl, id, key), expiresAt, id, deleteToken };
	}

	/** Reads a share; rejects with `ShareError`. Runs no code from it. */
	async open(address: ShareAddress): Promise<ShareBundle> {
		if (address.kind === 'inline-share') return unpackBundle(bytesOf(address.data));
		const key = bytesOf(address.key);
		return unpackBundle(await decrypt(await this.#blobs.get(address.id), key));
	}

	/** Deletes a stored share; no error if it no longer exists. */
	async delete(share: { id: string; deleteToken: string }): Promise<void> {
		await this.#blobs.delete(share);
	}
}

function bytesOf(text: string): Uint8Array {
	try {
		return fromBase64Url(text);
	} catch (error) {
		throw new ShareError('damaged', String(error));
	}
}
