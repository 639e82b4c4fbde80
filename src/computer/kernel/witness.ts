import { startWorker } from '#computer/abi/start-worker.ts';
import { WITNESS } from '#computer/abi/witness.ts';

/** Starts a worker that answers every message on `port`: it lives as long as the kernel and is never busy. */
export function startWitness(scheme: 'blob' | 'data', port: MessagePort): void {
	startWorker(scheme, WITNESS).postMessage(port, [port]);
}
