import type { Signature } from '../objects/commit.ts';
import type { Config } from './config.ts';

/** Default identity, so that the first commit works without settings. */
const DEFAULT_IDENTITY = { name: 'You', email: 'you@sandglass.local' };

/** Date of a signature, in the local time zone. */
export const timeOf = (ms: number): Pick<Signature, 'seconds' | 'offsetMinutes'> => ({
	seconds: Math.floor(ms / 1000),
	offsetMinutes: -new Date(ms).getTimezoneOffset() || 0
});

/** Author or committer by git's rules: `GIT_AUTHOR_*` or `GIT_COMMITTER_*`, then `user.*`. */
export function identity(
	role: 'AUTHOR' | 'COMMITTER',
	config: Config,
	env: Record<string, string>,
	nowMs: number
): Signature {
	const date = env[`GIT_${role}_DATE`];
	const time = (date === undefined ? null : parseDate(date)) ?? timeOf(nowMs);
	return {
		name: withoutCrud(env[`GIT_${role}_NAME`] ?? config.get('user.name') ?? DEFAULT_IDENTITY.name),
		email: withoutCrud(env[`GIT_${role}_EMAIL`] ?? config.get('user.email') ?? DEFAULT_IDENTITY.email),
		...time
	};
}

/** Name or address that is safe in a commit: without surrounding punctuation and field delimiters. */
export function withoutCrud(text: string): string {
	const crud = '[\\x00-\\x20.,:;<>"\\\\\']';
	return text.replace(new RegExp(`^${crud}+|${crud}+$|[\\n<>]`, 'g'), '');
}

/** A date as given to `--date` or in the environment: git's own `<seconds> <zone>`, or ISO 8601; null otherwise. */
export function parseDate(text: string): Pick<Signature, 'seconds' | 'offsetMinutes'> | null {
	const raw = /^@?(\d+)(?: ([+-])(\d\d)(\d\d))?$/.exec(text.trim());
	if (raw) {
		const minutes = Number(raw[3] ?? 0) * 60 + Number(raw[4] ?? 0);
		return { seconds: Number(raw[1]), offsetMinutes: raw[2] === '-' ? -minutes : minutes };
	}
	const parsed = Date.parse(text);
	if (Number.isNaN(parsed)) return null;
	const zone = /([+-])(\d\d):?(\d\d)$/.exec(text);
	const minutes = zone ? Number(zone[2]) * 60 + Number(zone[3]) : 0;
	const local = /Z$/.test(text) || zone ? 0 : -new Date(parsed).getTimezoneOffset() || 0;
	return { seconds: Math.floor(parsed / 1000), offsetMinutes: zone ? (zone[1] === '-' ? -minutes : minutes) : local };
}
