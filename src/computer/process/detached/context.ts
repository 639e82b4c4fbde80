import { AsyncClient } from '../async-client.ts';
import { numberedOffers } from '../offers.ts';
import type { ProcessContext } from '../program.ts';
import type { SignalName } from '#computer/abi/syscalls.ts';
import type { StartMessage, ToKernel, ToProcess } from '#computer/abi/wire.ts';
import { evaluateSnapshotClient } from './evaluate.ts';
import type { DetachedStart } from '#computer/abi/detached-start.ts';

/** Creates the context of a program without shared memory. */
export function createSnapshotContext(start: StartMessage, snapshot: DetachedStart): ProcessContext {
	const { port, pid, parent, argv, cwd, env, umask, ignored } = start;
	const post = (message: ToKernel, transfer: Transferable[] = []): void => port.postMessage(message, transfer);
	const client = evaluateSnapshotClient(snapshot, post);
	const asynchronous = new AsyncClient((message) => {
		// The kernel must answer for a volume that includes what the program did before.
		client.flush();
		post(message);
	});
	const listeners: ((signal: SignalName, newest: number) => void)[] = [];
	const signal = async ({ name, newest }: { name: SignalName; newest: number }): Promise<void> => {
		if (name === 'SIGWINCH') client.resized(await asynchronous.calls.terminalSize());
		for (const listener of listeners) listener(name, newest);
	};
	port.onmessage = ({ data }: MessageEvent<ToProcess>) => {
		if (data.kind === 'changes') client.changed(data);
		else if (data.kind === 'signal') void signal(data);
		else asynchronous.settle(data);
	};
	return {
		pid,
		parent,
		argv,
		cwd,
		env,
		umask,
		ignored,
		sync: client.sync,
		async: asynchronous.calls,
		// Signals that end a process end it without its help; others arrive when it yields.
		interrupted: () => false,
		pendingSignals: () => 0,
		generation: () => client.generation(),
		onSignal: (listener) => void listeners.push(listener),
		channel: start.channel,
		descriptors: start.descriptors,
		offer: numberedOffers(post),
		module: (asset) => asynchronous.module(asset)
	};
}
