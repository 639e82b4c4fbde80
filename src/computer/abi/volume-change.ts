/** One change of the volume. Paths are real: without symbolic links. */
export interface VolumeChange {
	path: string;
	kind: 'write' | 'remove' | 'rename' | 'mode' | 'symlink' | 'mkdir' | 'mkfifo' | 'socket';
	/** Mode as in git, which has none for a named pipe and a socket: its type alone. */
	mode: number;
	bytes?: Uint8Array;
	to?: string;
}
