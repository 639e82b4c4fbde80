/** The process that reads, writes or sets a stream, as far as streams know it: told apart by identity. */
export interface StreamUser {
	/** Whether it has ended: what it waited for is dropped. */
	readonly ended: boolean;
}
