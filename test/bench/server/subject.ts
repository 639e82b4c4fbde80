import type { AddressInfo } from 'node:net';
import type { Used } from './messages.ts';

/** Tells the parent the port, answers each of its messages with what it used so far, ends with it. */
export function announce(address: AddressInfo | string | null): void {
	if (address && typeof address !== 'string') process.send?.(address.port);
	process.on('message', () => {
		const { user, system } = process.cpuUsage();
		process.send?.({ memoryBytes: process.memoryUsage.rss(), cpuUs: user + system } satisfies Used);
	});
	process.on('disconnect', () => process.exit());
}
