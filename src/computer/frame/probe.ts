import type { Memory } from '#computer/abi/protocol.ts';
import { startWorker } from '#computer/abi/start-worker.ts';

/** Detected features of the browser: how workers can be started, and whether they share memory. */
export type Probe =
	{ scheme: 'blob' | 'data'; memory: Memory; makes: 'kernel' | 'frame' } | { lacks: 'workers'; detail: string };

const PATIENCE_MS = 5000;

/** Waits on shared memory for the frame, to check that both directions and `Atomics.wait` work. */
const SCRIPT = `onmessageerror = () => postMessage('the memory did not arrive');
onmessage = (event) => {
	try {
		if (event.data === null) return postMessage('no memory');
		const slots = new Int32Array(event.data);
		Atomics.store(slots, 0, 1);
		postMessage('waiting');
		postMessage(Atomics.wait(slots, 1, 0, ${PATIENCE_MS}) === 'timed-out' ? 'no echo' : 'heard');
	} catch (error) {
		postMessage(String(error));
	}
};`;

export async function probe(): Promise<Probe> {
	const schemes = ['blob', 'data'] as const;
	const makes = isGecko() ? 'frame' : 'kernel';
	const outcomes: string[] = [];
	// One after the other: if the first works, as in nearly all browsers, the second would only slow it down.
	for (const scheme of schemes) {
		const outcome = await tryScheme(scheme);
		if (outcome === 'heard') return { scheme, memory: 'shared', makes };
		outcomes.push(outcome);
	}
	const started = schemes.find((_, index) => !outcomes[index]?.startsWith('no worker'));
	if (started) return { scheme: started, memory: 'snapshot', makes };
	return { lacks: 'workers', detail: schemes.map((scheme, index) => `${scheme}: ${outcomes[index]}`).join('; ') };
}

/**
 * Detects Firefox, whose workers must not create workers, see `FrameWorker`: no probe shows that bug, so it is detected
 * by name.
 */
function isGecko(): boolean {
	return CSS.supports('-moz-appearance', 'none');
}

async function tryScheme(scheme: 'blob' | 'data'): Promise<string> {
	const slots = typeof SharedArrayBuffer === 'undefined' ? null : new Int32Array(new SharedArrayBuffer(8));
	let worker: Worker;
	try {
		worker = startWorker(scheme, SCRIPT);
	} catch (error) {
		return `no worker: ${String(error)}`;
	}
	const outcome = await new Promise<string>((resolve) => {
		setTimeout(() => resolve('no worker: no answer'), PATIENCE_MS);
		worker.onerror = () => resolve('no worker: refused');
		worker.onmessageerror = () => resolve('the memory did not arrive');
		worker.onmessage = ({ data }: MessageEvent<unknown>) => {
			if (data !== 'waiting' || !slots) return resolve(String(data));
			if (Atomics.load(slots, 0) !== 1) return resolve('the memory is not shared');
			Atomics.store(slots, 1, 1);
			Atomics.notify(slots, 1);
		};
		try {
			worker.postMessage(slots?.buffer ?? null);
		} catch (error) {
			resolve(String(error));
		}
	});
	worker.terminate();
	return outcome;
}
