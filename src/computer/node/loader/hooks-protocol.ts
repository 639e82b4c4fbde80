import type { LoadContext, Loaded, Resolution, ResolveContext } from './hooks.ts';

/** Request from a program to the thread of its hooks. */
export type HooksRequest =
	| { kind: 'register'; specifier: string; parentURL: string; data: unknown }
	| { kind: 'resolve'; specifier: string; context: ResolveContext }
	| { kind: 'load'; url: string; context: LoadContext };

/** Kinds of hooks that exist after those of a module have been added. */
export interface Registered {
	resolve: boolean;
	load: boolean;
}

export type HooksAnswer =
	| { ok: true; value: Registered | Resolution | Loaded }
	| { ok: false; error: { name: string; message: string; code?: string | undefined; stack?: string | undefined } };

/** Start data of the thread: the port for requests, and the counter of its answers. */
export interface HooksStart {
	port: MessagePort;
	answers: Int32Array;
}
