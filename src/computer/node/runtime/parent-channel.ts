import { Control } from '../modules/child-process/control.ts';
import { Ipc, sendArguments } from '../modules/child-process/ipc.ts';
import { isSyscallError } from './errors.ts';
import type { Runtime } from './runtime.ts';

/** Connects `process` to the channel of the program that forked this one. Its listeners keep the program alive. */
export function openParentChannel(runtime: Runtime): void {
	const { process, loop, context } = runtime;
	const { channel } = context;
	if (!channel) return;
	let release: (() => void) | null = null;
	const emitter = Object.assign(process, { connected: true });
	const drop = () => {
		release?.();
		release = null;
	};
	const ended = () => {
		drop();
		Object.assign(process, { channel: null });
	};
	const isAdvanced = process.env['NODE_CHANNEL_SERIALIZATION_MODE'] === 'advanced';
	const ipc = new Ipc(runtime, emitter, () => context.parent, isAdvanced, ended);
	Reflect.deleteProperty(process.env, 'NODE_CHANNEL_SERIALIZATION_MODE');
	const lifeline = process.env['NODE_CHANNEL_FD'];
	Reflect.deleteProperty(process.env, 'NODE_CHANNEL_FD');
	let isOpen = false;
	const control = new Control({
		ref: () => {
			if (emitter.connected) release ??= loop.hold();
		},
		unref: drop
	});
	const isUse = (event: unknown) => event === 'message' || event === 'disconnect';
	process.on('newListener', (event) => {
		if (!isUse(event)) return;
		control.refCounted();
		if (!emitter.connected) return;
		// Messages are queued until there is a listener.
		if (event === 'message') open();
	});
	process.on('removeListener', (event) => {
		if (isUse(event)) control.unrefCounted();
	});
	const open = () => {
		if (isOpen) return;
		isOpen = true;
		ipc.open(channel);
	};
	followParent(runtime, lifeline, async () => {
		// What it has sent before it ended still arrives.
		open();
		await ipc.lastWords();
		loop.enter(() => ipc.close());
	});
	Object.assign(process, {
		send: (value: unknown, ...rest: unknown[]) => {
			const given = sendArguments(rest);
			open();
			return ipc.send(value, given);
		},
		disconnect: () => {
			open();
			ipc.disconnect();
		},
		channel: control
	});
}

/** Calls `gone` when the parent has ended or closed the channel, without keeping the program alive until then. */
function followParent(runtime: Runtime, descriptor: string | undefined, gone: () => Promise<void>): void {
	if (descriptor === undefined || !/^\d+$/.test(descriptor)) return;
	// EBADF: something else has started the program with this variable.
	const ended = (error: unknown): unknown => (isSyscallError(error) ? undefined : runtime.fatal(error));
	runtime.async.read(Number(descriptor), 1).then(gone).catch(ended);
}
