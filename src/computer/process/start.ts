import { AsyncClient } from './async-client.ts';
import { removeNativeGlobals } from './native-globals.ts';
import { numberedOffers } from './offers.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import type { ProcessContext, Program } from './program.ts';
import { rememberReads } from './remembered-reads.ts';
import { createSyncSyscalls } from './sync-client.ts';
import type { SignalName } from '#computer/abi/syscalls.ts';
import { createSnapshotContext } from './detached/context.ts';
import {
	HEADER_BYTES,
	Slot,
	type PrepareMessage,
	type SharedStart,
	type StartMessage,
	type ToKernel,
	type ToProcess
} from '#computer/abi/wire.ts';

/**
 * Turns this worker into a process: waits for the kernel's start message, runs `program` and ends with its exit code.
 * Last line of each program's main file.
 *
 * @param prepare called with the assets named in its entry in `programs.ts`, before or after the start
 */
export function startProgram(program: Program, prepare?: (message: PrepareMessage) => void): void {
	removeNativeGlobals();
	const listen = ({ data }: MessageEvent<StartMessage | PrepareMessage>) => {
		if (data.type === 'prepare') prepare?.(data);
		if (data.type !== 'start') return;
		if (!prepare) removeEventListener('message', listen);
		void run(program, data, () => addEventListener('message', listen));
	};
	addEventListener('message', listen);
}

/** @param again called when the worker may get another start message */
function run(program: Program, start: StartMessage, again: () => void): Promise<void> {
	if ('snapshot' in start) {
		const post = (message: ToKernel): void => start.port.postMessage(message);
		return runIn(() => createSnapshotContext(start, start.snapshot), post, program, again);
	}
	const outbox = createOutbox(start.port, start);
	return runIn(() => createSharedContext(start, outbox), outbox.post, program, again);
}

async function runIn(
	createContext: () => ProcessContext,
	tell: (message: ToKernel) => void,
	program: Program,
	again: () => void
): Promise<void> {
	tell({ kind: 'started' });
	let isClean = false;
	const context = createContext();
	context.leavesNothing = () => void (isClean = true);
	context.replace = async (options, leavesNothing) => {
		if (leavesNothing) {
			again();
			tell({ kind: 'done' });
		}
		await context.async.replace(options);
		return new Promise(() => {});
	};
	let code = 1;
	try {
		code = await program(context);
		if (isClean) {
			again();
			tell({ kind: 'done' });
		}
	} catch (error) {
		const text = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
		const shown = error instanceof Error && !text.includes(error.message) ? `${error.message}\n${text}` : text;
		await context.async.write(2, new TextEncoder().encode(`${shown}\n`)).catch(() => {
			// Without a reader of stderr only the exit code reports it.
		});
	}
	await context.async.exit(code);
}

function createSharedContext(start: StartMessage & SharedStart, outbox: Outbox): ProcessContext {
	const { port, memory, generation } = start;
	const slots = new Int32Array(memory, 0, HEADER_BYTES / 4);
	const counter = new Int32Array(generation);
	const changes = () => Atomics.load(counter, 0);
	let asked = 0;
	const client = new AsyncClient((message) => {
		asked++;
		outbox.post(message);
	});
	const listeners: ((signal: SignalName, newest: number) => void)[] = [];
	port.onmessage = ({ data }: MessageEvent<ToProcess>) => {
		if (data.kind !== 'signal') return client.settle(data);
		Atomics.sub(slots, Slot.pendingSignals, 1);
		for (const listener of listeners) listener(data.name, data.newest);
	};
	return {
		pid: start.pid,
		parent: start.parent,
		argv: start.argv,
		cwd: start.cwd,
		env: start.env,
		umask: start.umask,
		ignored: start.ignored,
		sync: rememberReads(createSyncSyscalls(outbox, memory), changes, () => asked),
		async: client.calls,
		pendingSignals: () => Atomics.load(slots, Slot.pendingSignals),
		interrupted: () => Atomics.load(slots, Slot.pendingSignals) > 0,
		generation: changes,
		volume: counter[1],
		prepared: start.prepared,
		onSignal: (listener) => void listeners.push(listener),
		channel: start.channel,
		descriptors: start.descriptors,
		offer: numberedOffers(outbox.post),
		module: (asset) => client.module(asset)
	};
}
