/** Service of a repository: it sends objects, or receives them. */
export type Service = 'git-upload-pack' | 'git-receive-pack';

/**
 * Carries the conversation with the services of a repository (https://git-scm.com/docs/gitprotocol-pack), over whatever
 * reaches it.
 */
export interface Carrier {
	/** Returns what the service advertises. @throws GitError if there is no such service */
	advertisement(service: Service): Promise<Uint8Array>;
	/** Sends a request and yields the response as it arrives. @throws GitError if the other side fails */
	request(service: Service, body: Uint8Array): AsyncIterable<Uint8Array>;
	/** Ends the conversation, also one in which nothing was requested. */
	close(): Promise<void>;
}
