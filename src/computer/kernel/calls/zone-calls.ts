import { gunzip } from '#environment/archive/gunzip.ts';
import { ZONE_ARCHIVE } from '#computer/abi/time-zones.ts';
import { fileCalls } from '#computer/volume/file-calls.ts';
import { fillZones, lacksZones, reachesZones } from '#computer/volume/zone-files.ts';
import type { Computer } from '../computer.ts';
import type { Process } from '../processes/process.ts';
import type { Handlers } from './handler.ts';

type AnyHandler = (process: Process, ...args: unknown[]) => unknown;

/**
 * Delays the first call that may reach the time zones until their files are in the volume. Few programs ever make one,
 * so nothing is fetched before. If the files cannot be fetched, as when offline, the call finds an empty directory, and
 * the next one tries again.
 */
export function zoneCalls(handlers: Handlers, computer: Computer): Handlers {
	const { volume, outside } = computer;
	let filling: Promise<void> | null = null;
	const fill = async (): Promise<void> => {
		try {
			fillZones(volume, await gunzip(new Uint8Array(await outside.asset(ZONE_ARCHIVE))));
		} catch {
			// The call itself reports the missing path.
		} finally {
			filling = null;
		}
	};
	const waiting: Partial<Record<string, AnyHandler>> = {};
	for (const name of [...Object.keys(fileCalls(computer)), 'openFile'] as (keyof Handlers)[]) {
		const handler = handlers[name] as AnyHandler;
		waiting[name] = (process, ...args) => {
			if (!reachesZones(name, args) || !lacksZones(volume)) return handler(process, ...args);
			return (filling ??= fill()).then(() => handler(process, ...args));
		};
	}
	return { ...handlers, ...waiting };
}
