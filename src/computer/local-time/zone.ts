import { posixZone } from './posix-zone.ts';

/** Time zone, as given by `TZ`. */
export interface Zone {
	/** Minutes east of Greenwich at a time. */
	offset(ms: number): number;
	/** `UTC`, `CET`, or `+03` if there is no name. */
	name(ms: number): string;
}

const fixed = (name: string, minutes: number): Zone => ({ offset: () => minutes, name: () => name });
export const UTC = fixed('UTC', 0);

const known = new Map<string, Zone>();

/**
 * @param tz `Europe/Berlin`, `EST5`, `UTC`; absent: the zone of the user's machine. An unknown one is UTC under
 *   its name.
 */
export function zoneOf(tz: string | undefined): Zone {
	const name = tz?.replace(/^:/, '') ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
	let zone = known.get(name);
	if (!zone) known.set(name, (zone = readZone(name)));
	return zone;
}

/** Names of zones with a history that look like rules. */
const HAS_HISTORY = /^(?:EST5EDT|CST6CDT|MST7MDT|PST8PDT)$/;

function readZone(name: string): Zone {
	if (name === '' || /^(UTC|GMT|Etc\/UTC)$/.test(name)) return fixed(name === 'GMT' ? 'GMT' : 'UTC', 0);
	const posix = HAS_HISTORY.test(name) ? null : posixZone(name);
	if (posix) return posix;
	try {
		return namedZone(name);
	} catch (error) {
		if (error instanceof RangeError) return fixed(/^[A-Za-z]+/.exec(name)?.[0] ?? 'UTC', 0);
		throw error;
	}
}

/** Abbreviations that no language of `Intl` has. */
const NAMES: Record<string, string> = {
	'Asia/Tokyo': 'JST',
	Japan: 'JST',
	'Asia/Seoul': 'KST',
	'Asia/Shanghai': 'CST',
	'Asia/Taipei': 'CST',
	'Asia/Hong_Kong': 'HKT',
	'Asia/Manila': 'PST',
	'Africa/Johannesburg': 'SAST',
	'Africa/Nairobi': 'EAT',
	'Africa/Lagos': 'WAT'
};

/** Languages to try in turn, since each only has the abbreviations of its own region. */
const LANGUAGES = ['en-US', 'en-GB', 'en-AU', 'en-IN'];

/** @throws RangeError for an unknown name */
function namedZone(timeZone: string): Zone {
	const offsets = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
	const names = LANGUAGES.map((language) => new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' }));
	const part = (format: Intl.DateTimeFormat, ms: number) =>
		format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
	const offset = (ms: number): number => {
		const [, sign, hours = '0', minutes = '0'] = /([-+])(\d\d):(\d\d)/.exec(part(offsets, ms)) ?? [];
		return (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
	};
	const name = (ms: number): string =>
		NAMES[timeZone] ??
		names.map((format) => part(format, ms)).find((text) => !/^(GMT|UTC)[-+]/.test(text)) ??
		zoneText(offset(ms), '').replace(/00$/, '');
	return { offset, name };
}

/** `+0130`, with the given separator between hours and minutes. */
export function zoneText(minutes: number, between: string): string {
	const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
	return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}${between}${String(rest).padStart(2, '0')}`;
}
