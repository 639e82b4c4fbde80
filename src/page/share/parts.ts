import type { ShareBundle, StoredSession } from '#session/contract.ts';
import type { ShareSecret } from '#session/share/redaction.ts';
import type { WorkspaceApi } from '#workspace/contract.ts';

/** Contents of a share, displayed before it is created. */
export interface ShareContents {
	entries: number;
	/** Files included in the share, relative to the working directory. */
	files: { path: string; bytes: number }[];
	/** Commit from which the visitor's page fetches the remaining files. */
	base?: { url: string; commit: string };
	/** Possible secrets; removed unless their `id` is in {@link ShareRequest.keepSecrets}. */
	secrets: ShareSecret[];
	/** True if it fits into the link itself, which cannot be revoked. */
	inline: boolean;
	/** Compressed size of the whole share. */
	bytes: number;
	/** Steps whose files it contains; 0 without a history. */
	checkpoints: number;
	/** Commands in its receipt. */
	commands: number;
}

export interface ShareRequest {
	expiresInSeconds: number;
	viewOnly: boolean;
	keepSecrets: string[];
	/** Includes the files at each checkpoint and a receipt. */
	history: boolean;
}

export interface FileRequest {
	keepSecrets: string[];
	history: boolean;
	/** Empty: not encrypted. */
	passphrase: string;
}

export interface CreatedShare {
	url: string;
	/** Milliseconds since the epoch; absent if the link contains everything. */
	expiresAt?: number;
	/** Identifies it at the server, for revoking it; absent if the link contains everything. */
	id?: string;
	deleteToken?: string;
}

/** Creates and opens shares for the page. Rejects with errors whose `code` is in `errors.ts`. */
export interface ShareParts {
	describe(workspace: WorkspaceApi, stored: StoredSession, history: boolean): Promise<ShareContents>;
	create(workspace: WorkspaceApi, stored: StoredSession, request: ShareRequest): Promise<CreatedShare>;
	open(
		address: { kind: 'stored-share'; id: string; key: string } | { kind: 'inline-share'; data: string }
	): Promise<ShareBundle>;
	/** Revokes a link; does nothing if it is already gone. */
	delete(share: { id: string; deleteToken: string }): Promise<void>;
	exportFile(workspace: WorkspaceApi, stored: StoredSession, request: FileRequest): Promise<Uint8Array>;
	/**
	 * @param passphrase `null` before the user entered one; rejects with the code `passphrase` if one is needed
	 */
	openFile(file: Blob, passphrase: string | null): Promise<ShareBundle>;
}
