import { locale } from './language.ts';
import { t } from './strings/index.ts';

/** Formats bytes in the largest unit that keeps the number readable, e.g. `1.4 MB`. */
export function formatBytes(bytes: number): string {
	if (bytes < 1000) return `${bytes} B`;
	const units = ['kB', 'MB', 'GB'];
	let value = bytes / 1000;
	let unit = 0;
	while (value >= 999.5 && unit < units.length - 1) {
		value /= 1000;
		unit += 1;
	}
	return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Formats a token count, e.g. `950`, `12.3k`, `1.0M`. */
export function formatCount(count: number): string {
	if (count < 1000) return String(count);
	if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
	return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Formats US dollars; amounts below one cent are shown with fractions of a cent. */
export function formatCost(usd: number): string {
	if (usd === 0) return '$0.00';
	return usd < 0.1 ? `$${usd.toFixed(3)}` : `$${usd.toFixed(2)}`;
}

/** Formats milliseconds as seconds, with one decimal below ten, e.g. `0.4`. */
export function formatSeconds(ms: number): string {
	const seconds = ms / 1000;
	return seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds));
}

/** Formats a waiting time in whole units, rounded up, e.g. `40 seconds`, `15 minutes`. */
export function formatWait(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	const [value, unit] =
		seconds < 90
			? [seconds, 'second']
			: seconds < 5400
				? [Math.ceil(seconds / 60), 'minute']
				: [Math.ceil(seconds / 3600), 'hour'];
	return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** Formats a time as hours and minutes, e.g. `14:06`. @param at milliseconds since the epoch */
export function formatClock(at: number): string {
	return new Date(at).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** Formats the time since a moment roughly. Both are milliseconds since the epoch. */
export function formatAgo(then: number, now: number): string {
	const minutes = Math.floor((now - then) / 60_000);
	if (minutes < 1) return t.time.now;
	if (minutes < 60) return t.time.minutes(minutes);
	const hours = Math.floor(minutes / 60);
	if (hours < 24) return t.time.hours(hours);
	if (hours < 48) return t.time.yesterday;
	return new Date(then).toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' });
}
