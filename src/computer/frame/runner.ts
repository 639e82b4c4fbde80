import type { BootMessage } from '#computer/abi/protocol.ts';
import { CONNECT, type FromFrame, type ToFrame } from './messages.ts';
import { startWorker } from '#computer/abi/start-worker.ts';
import { probe, type Probe } from './probe.ts';
import { Witness, WITNESS } from '#computer/abi/witness.ts';
import { serveWorkers } from './workers.ts';

/**
 * Script of the document at `/runner`. It starts the kernel and does nothing else: no user code runs here, since a
 * document can leak by WebRTC and navigation, and a worker cannot.
 */

declare global {
	var SANDGLASS_BUILD: string;
}

addEventListener('message', ({ data, source, ports: [port] }: MessageEvent<unknown>) => {
	if (source === parent && data === CONNECT && port) serve(port);
});

function serve(port: MessagePort): void {
	const post = (message: FromFrame) => port.postMessage(message);
	const witness = new Witness();
	// In parallel with fetching the kernel.
	const probing = probe();
	port.onmessage = ({ data }: MessageEvent<ToFrame>) => {
		if (data.type === 'ping') post({ type: 'pong', silent: witness.ask() });
		else if (data.type === 'start') void start(data, probing, witness, post);
	};
	post({ type: 'hello', build: SANDGLASS_BUILD });
}

async function start(
	{ kernel, programs, volumeBytes, port }: ToFrame & { type: 'start' },
	probing: Promise<Probe>,
	witness: Witness,
	post: (message: FromFrame) => void
): Promise<void> {
	const found = await probing;
	if ('lacks' in found) return post({ type: 'refused', ...found });
	const { scheme, memory, makes } = found;
	const worker = startWorker(scheme, kernel);
	if (makes === 'frame') serveWorkers(worker);
	worker.onerror = (event) => post({ type: 'lost', reason: event.message || 'its worker could not be started' });
	const boot: BootMessage = {
		type: 'boot',
		scheme: makes === 'frame' ? 'frame' : scheme,
		memory,
		programs,
		volumeBytes,
		port,
		witness: witness.port
	};
	worker.postMessage(boot, [port, witness.port]);
	witness.compareWith(startWorker(scheme, WITNESS));
	post({ type: 'started', scheme, memory });
}
