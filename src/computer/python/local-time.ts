import type { PyodideInterface } from 'pyodide';
import type { PyodideModule } from 'pyodide/pyodide.asm.mjs';
import { zoneOf } from '#computer/local-time/zone.ts';
import { LocalTime } from '#computer/local-time/zoned-date.ts';

/** Size of a name in the C library, including the terminating NUL. */
const NAME_BYTES = 17;

/**
 * Makes the C library read the zone again, which it only does once by itself.
 * @returns addresses of its names, standard and daylight saving time
 */
export function readZone(module: PyodideModule): number[] {
	const [standard, summer] = module.HEAPU32.subarray(module.___tzname >>> 2);
	if (!standard || !summer) return [];
	module.__tzset_js(module.___timezone, module.___daylight, standard, summer);
	return [standard, summer];
}

/**
 * Makes the interpreter's C library follow `TZ`: it uses `Date` for local time, and caches the names of the zone.
 * @returns function that receives each value of the variable; absent: the browser's zone
 */
export function zoneFollower(python: PyodideInterface): (tz: string | undefined) => void {
	const module = (python as unknown as { _module: PyodideModule })._module;
	const time = new LocalTime(globalThis);
	let isFollowing = false;
	return (tz) => {
		// The browser's own zone is set from the start; looking up its names takes longer than the rest of a start.
		if (tz === undefined && !isFollowing) return;
		isFollowing = true;
		time.follow(tz);
		const places = readZone(module);
		const zone = zoneOf(tz);
		const year = new Date().getFullYear();
		const seasons = [Date.UTC(year, 0), Date.UTC(year, 6)].sort((a, b) => zone.offset(a) - zone.offset(b));
		for (const [index, place] of places.entries()) {
			const name = new TextEncoder().encode(zone.name(seasons[index] ?? 0)).subarray(0, NAME_BYTES - 1);
			const bytes = new Uint8Array(module.HEAPU32.buffer, place, NAME_BYTES);
			bytes.fill(0);
			bytes.set(name);
		}
	};
}
