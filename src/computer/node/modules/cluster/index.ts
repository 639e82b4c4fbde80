import type { Runtime } from '../../runtime/runtime.ts';
import type { EventEmitter } from '../events.ts';
import { createChild } from './child.ts';
import { createPrimary } from './primary.ts';

/** Name of the environment variable that a worker is started with: its number. */
export const WORKER_ID = 'NODE_UNIQUE_ID';

/** Connects the worker whose module this is with its primary. */
export function setupWorker(cluster: unknown): void {
	(cluster as { _setupWorker(): void })._setupWorker();
}

/** `node:cluster`. */
export function createCluster(runtime: Runtime): EventEmitter {
	return Object.hasOwn(runtime.process.env, WORKER_ID) ? createChild(runtime) : createPrimary(runtime);
}
