import type { Memory, ProgramEntry } from '#computer/abi/protocol.ts';

/**
 * Messages between the page and the frame's document, over a port that carries little and lives as long as the frame.
 * The kernel's own port is transferred through it once.
 */
export type ToFrame =
	| { type: 'start'; kernel: string; programs: ProgramEntry[]; volumeBytes: number; port: MessagePort }
	| { type: 'ping' };

export type FromFrame =
	| { type: 'hello'; build: string }
	| { type: 'started'; scheme: 'blob' | 'data'; memory: Memory }
	/** The browser lacks what the kernel needs. */
	| { type: 'refused'; lacks: 'workers'; detail: string }
	| { type: 'lost'; reason: string }
	/** `silent`: number of times the kernel's witness did not answer although a worker of the frame did. */
	| { type: 'pong'; silent: number };

/** Message of the page to the frame's window, with the port. */
export const CONNECT = 'sandglass:connect';
