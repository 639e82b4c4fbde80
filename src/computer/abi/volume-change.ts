/** One thing that happened to the volume. Paths are real: no symbolic link in them. */
export interface VolumeChange {
	path: string;
	kind: 'write' | 'remove' | 'rename' | 'mode' | 'symlink' | 'mkdir';
	/** As git has it. */
	mode: number;
	bytes?: Uint8Array;
	to?: string;
}
