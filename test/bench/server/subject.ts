import type { AddressInfo } from 'node:net';
import type { Used } from './messages.ts';

/** Sends the port to the parent, answers each of its messages with the resources used so far, and ends with it. */
export function announce(address: AddressInfo | string | null): void {
	if (address && typeof address !== 'string') process.send?.(address.port);
	process.on('message', () => {
		const { user, system } = process.cpuUsage();
		process.send?.({ memoryBytes: process.memoryUsage.rss(), cpuUs: user + system } satisfies Used);
	});
	process.on('disconnect', () => process.exit());
}
