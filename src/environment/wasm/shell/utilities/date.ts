import type { BuiltIn } from '../state/host.ts';

const UNITS: Record<string, number> = { sec: 1, second: 1, min: 60, minute: 60, hour: 3600, day: 86_400, week: 604_800, fortnight: 1_209_600 }; // prettier-ignore
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** What `date -d` is told, as seconds; null when just-bash must read it. */
export function relativeTime(text: string, nowMs: number): number | null {
	let rest = text.trim().toLowerCase();
	const relative =
		/\b(ago|now|today|yesterday|tomorrow|next|last|noon|midnight)\b|[-+]?\s*\d+\s*(sec|min|hour|day|week|fortnight|month|year)/;
	if (!relative.test(rest)) return null;
	const date = new Date(nowMs);
	const absolute = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ](\d{1,2}):(\d{2})(?::(\d{2}))?)?/.exec(rest);
	if (absolute) {
		const [whole, year, month, day, hour = '0', minute = '0', second = '0'] = absolute;
		date.setFullYear(Number(year), Number(month) - 1, Number(day));
		date.setHours(Number(hour), Number(minute), Number(second), 0);
		rest = rest.slice(whole.length);
	}
	const midnight = () => date.setHours(0, 0, 0, 0);
	while ((rest = rest.replace(/^[\s,]+|^and\b/, ''))) {
		const word = /^(now|today|yesterday|tomorrow|noon|midnight|utc)\b/.exec(rest);
		const amount =
			/^([-+]?)\s*(\d+|next|last|a|an)\s*(sec|second|min|minute|hour|day|week|fortnight|month|year)s?\b(\s+ago\b)?/.exec(
				rest
			);
		const day = /^(next|last|this)?\s*(sun|mon|tue|wed|thu|fri|sat)[a-z]*/.exec(rest);
		const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?/.exec(rest);
		if (word) {
			if (word[1] === 'yesterday') date.setDate(date.getDate() - 1);
			if (word[1] === 'tomorrow') date.setDate(date.getDate() + 1);
			if (word[1] === 'midnight') midnight();
			if (word[1] === 'noon') date.setHours(12, 0, 0, 0);
		} else if (amount) {
			const count = /^\d/.test(amount[2] ?? '') ? Number(amount[2]) : amount[2] === 'last' ? -1 : 1;
			const signed = (amount[1] === '-' ? -count : count) * (amount[4] ? -1 : 1);
			const unit = amount[3] ?? '';
			if (unit === 'month') date.setMonth(date.getMonth() + signed);
			else if (unit === 'year') date.setFullYear(date.getFullYear() + signed);
			else if ((UNITS[unit] ?? 0) >= 86_400) date.setDate(date.getDate() + (signed * (UNITS[unit] ?? 0)) / 86_400);
			else date.setTime(date.getTime() + signed * (UNITS[unit] ?? 0) * 1000);
		} else if (day) {
			const ahead = (DAYS.indexOf(day[2] ?? '') - date.getDay() + 7) % 7;
			date.setDate(date.getDate() + (day[1] === 'last' ? ahead - 7 : day[1] === 'next' && ahead === 0 ? 7 : ahead));
			midnight();
		} else if (clock) date.setHours(Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0), 0);
		else return null;
		rest = rest.slice((word ?? amount ?? day ?? clock)?.[0].length);
	}
	return Math.floor(date.getTime() / 1000);
}

/** `date`: just-bash's, which is told the seconds where a time is given in words. */
export const date: BuiltIn = (call) => {
	const args = [...call.args];
	for (const [index, arg] of args.entries()) {
		const inline = /^(--date=|-d(?=.))(.+)$/s.exec(arg);
		const apart = arg === '-d' || arg === '--date';
		const text = inline?.[2] ?? (apart ? args[index + 1] : undefined);
		const seconds = text === undefined ? null : relativeTime(text, Date.now());
		if (seconds === null) continue;
		if (apart) args[index + 1] = `@${seconds}`;
		else args.splice(index, 1, '-d', `@${seconds}`);
		break;
	}
	return call.shell.host.tools.run(call.shell, 'date', args);
};
