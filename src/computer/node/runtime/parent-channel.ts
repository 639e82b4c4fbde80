import { Ipc, sentCallback } from '../modules/child-process/ipc.ts';
import type { Runtime } from './runtime.ts';

/** Connects `process` to the channel of the program that forked this one. Its listeners keep the program alive. */
export function openParentChannel({ process, loop, timers, context }: Runtime): void {
	const { channel } = context;
	if (!channel) return;
	let release: (() => void) | null = null;
	const emitter = Object.assign(process, { connected: true });
	const drop = () => {
		release?.();
		release = null;
	};
	const ipc = new Ipc(loop, timers, emitter, process.env['NODE_CHANNEL_SERIALIZATION_MODE'] === 'advanced', drop);
	Reflect.deleteProperty(process.env, 'NODE_CHANNEL_SERIALIZATION_MODE');
	let isOpen = false;
	process.on('newListener', (event) => {
		if ((event !== 'message' && event !== 'disconnect') || !emitter.connected) return;
		release ??= loop.hold();
		// Messages are queued until there is a listener.
		if (!isOpen && event === 'message') {
			isOpen = true;
			ipc.open(channel);
		}
	});
	process.on('removeListener', () => {
		if (process.listenerCount('message') + process.listenerCount('disconnect') === 0) drop();
	});
	const open = () => {
		if (isOpen) return;
		isOpen = true;
		ipc.open(channel);
	};
	Object.assign(process, {
		send: (value: unknown, ...rest: unknown[]) => {
			const done = sentCallback(rest);
			open();
			return ipc.send(value, done);
		},
		disconnect: () => {
			open();
			ipc.disconnect();
		},
		channel: { ref: () => void (release ??= loop.hold()), unref: drop, hasRef: () => release !== null }
	});
}
