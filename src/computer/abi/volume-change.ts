/** One change of the volume. Paths are real: without symbolic links. */
export interface VolumeChange {
	path: string;
	kind: 'write' | 'remove' | 'rename' | 'mode' | 'symlink' | 'mkdir' | 'mkfifo' | 'socket';
	/** Mode as in git; for a named pipe and a socket, which git does not have, only the type. */
	mode: number;
	bytes?: Uint8Array;
	to?: string;
}
