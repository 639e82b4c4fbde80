/** Proof that this browser can run a kernel here, by trying. */
export type Probe = { scheme: 'blob' | 'data' } | { lacks: 'workers' | 'shared-memory'; detail: string };

const PATIENCE_MS = 5000;

/** Waits on shared memory for the frame, so that both directions and `Atomics.wait` are shown to work. */
const SCRIPT = `onmessage = (event) => {
	try {
		const slots = new Int32Array(event.data);
		Atomics.store(slots, 0, 1);
		postMessage('waiting');
		postMessage(Atomics.wait(slots, 1, 0, ${PATIENCE_MS}) === 'timed-out' ? 'no echo' : 'heard');
	} catch (error) {
		postMessage(String(error));
	}
};`;

export async function probe(): Promise<Probe> {
	if (typeof SharedArrayBuffer === 'undefined') {
		return { lacks: 'shared-memory', detail: 'SharedArrayBuffer is not there' };
	}
	const details: string[] = [];
	let workerStarted = false;
	for (const scheme of ['blob', 'data'] as const) {
		const outcome = await tryScheme(scheme);
		if (outcome === 'heard') return { scheme };
		if (!outcome.startsWith('no worker')) workerStarted = true;
		details.push(`${scheme}: ${outcome}`);
	}
	return { lacks: workerStarted ? 'shared-memory' : 'workers', detail: details.join('; ') };
}

/** Starts a worker from text. */
export function startWorker(scheme: 'blob' | 'data', text: string): Worker {
	if (scheme === 'data') return new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(text)}`);
	return new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
}

async function tryScheme(scheme: 'blob' | 'data'): Promise<string> {
	const slots = new Int32Array(new SharedArrayBuffer(8));
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
			if (data !== 'waiting') return resolve(String(data));
			if (Atomics.load(slots, 0) !== 1) return resolve('the memory is not shared');
			Atomics.store(slots, 1, 1);
			Atomics.notify(slots, 1);
		};
		try {
			worker.postMessage(slots.buffer);
		} catch (error) {
			resolve(String(error));
		}
	});
	worker.terminate();
	return outcome;
}
