import type { Readable } from 'node:stream';

/** What is kept beside a share's encrypted bytes. */
export interface ShareRecord {
	/** ms since 1970. */
	expiresAt: number;
	/** SHA-256 of the delete token, hex. */
	deleteHash: string;
}

/** Where shares lie. Ids are 22 characters of base64url, made by the route. */
export interface ShareStore {
	/** Creates; all or nothing. Rejects when `id` exists, or with what the body failed with. */
	create(id: string, record: ShareRecord, body: Readable): Promise<void>;
	/** `undefined` when there is none, or it has expired. */
	open(id: string): Promise<{ record: ShareRecord; bytes: number; body: () => Readable } | undefined>;
	/** Deleting what is not there is no error. */
	delete(id: string): Promise<void>;
	/** Removes what has expired. Resolves to how many. */
	sweep(): Promise<number>;
}
