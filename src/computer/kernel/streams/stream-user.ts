/** A process as streams see it: identified by reference. */
export interface StreamUser {
	/** Set when it has ended: its pending operations are dropped. */
	readonly ended: boolean;
}
