import { describeEnvironment } from '#test/contract/environment.ts';
import { createMachine, listenOn, overPair, overWebSocket, type Machine } from './temporary.ts';

let machines: Machine[] = [];
let listeners: { close(): void }[] = [];

async function dispose(): Promise<void> {
	for (const listener of listeners) listener.close();
	await Promise.all(machines.map((machine) => machine.dispose()));
	machines = [];
	listeners = [];
}

async function machine(): Promise<Machine> {
	const created = await createMachine();
	machines.push(created);
	return created;
}

describeEnvironment('RemoteExecutionEnvironment over a channel pair', {
	create: async () => overPair(await machine()),
	dispose
});

describeEnvironment('RemoteExecutionEnvironment over a WebSocket', {
	create: async () => {
		const listener = await listenOn(await machine());
		listeners.push(listener);
		return overWebSocket(listener.url);
	},
	dispose
});
