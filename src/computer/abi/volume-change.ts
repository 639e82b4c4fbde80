/** One change of the volume. Paths are real: without symbolic links. */
export interface VolumeChange {
	path: string;
	kind: 'write' | 'remove' | 'rename' | 'mode' | 'symlink' | 'mkdir';
	/** Mode as in git. */
	mode: number;
	bytes?: Uint8Array;
	to?: string;
}
