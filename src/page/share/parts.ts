import type { ShareBundle } from '../../session/contract.ts';
import type { StoredSession } from '../../session/contract.ts';
import type { WorkspaceApi } from '../../workspace/contract.ts';

/** What a share would carry, shown before it is made. */
export interface ShareContents {
	entries: number;
	/** Those the share carries itself, relative to the working directory. */
	files: { path: string; bytes: number }[];
	/** The commit the visitor's page fetches the rest from. */
	base?: { url: string; commit: string };
	/** What looks like a secret; left out unless its `id` is in {@link ShareRequest.keepSecrets}. */
	secrets: ShareSecret[];
	/** Whether it fits into the link itself, where nothing can recall it. */
	inline: boolean;
}

export interface ShareSecret {
	id: string;
	/** E.g. `API key`. */
	kind: string;
	/** A path, or `the conversation`. */
	where: string;
}

export interface ShareRequest {
	expiresInSeconds: number;
	viewOnly: boolean;
	keepSecrets: string[];
}

export interface CreatedShare {
	url: string;
	/** Milliseconds since the epoch; absent when the link holds everything. */
	expiresAt?: number;
	/** Names it at the server, with what takes it back; absent when the link holds everything. */
	id?: string;
	deleteToken?: string;
}

/** How the page makes and opens shares. Rejects with errors whose `code` is in `errors.ts`. */
export interface ShareParts {
	describe(workspace: WorkspaceApi, stored: StoredSession): Promise<ShareContents>;
	create(workspace: WorkspaceApi, stored: StoredSession, request: ShareRequest): Promise<CreatedShare>;
	open(
		address: { kind: 'stored-share'; id: string; key: string } | { kind: 'inline-share'; data: string }
	): Promise<ShareBundle>;
	/** Takes a link back; one that is gone already is no error. */
	delete(share: { id: string; deleteToken: string }): Promise<void>;
}
