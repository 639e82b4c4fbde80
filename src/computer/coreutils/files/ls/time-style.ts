import type { Call } from '#computer/shell/state/host.ts';
import { type Options, UsageError } from '../../options.ts';

/** `strftime` formats for old times and for those within the last six months. */
export interface TimeFormats {
	old: string;
	recent: string;
}

const LOCALE: TimeFormats = { old: '%b %e  %Y', recent: '%b %e %H:%M' };
const STYLES: Readonly<Record<string, TimeFormats>> = {
	'full-iso': { old: '%Y-%m-%d %H:%M:%S.%N %z', recent: '%Y-%m-%d %H:%M:%S.%N %z' },
	'long-iso': { old: '%Y-%m-%d %H:%M', recent: '%Y-%m-%d %H:%M' },
	iso: { old: '%Y-%m-%d ', recent: '%m-%d %H:%M' },
	locale: LOCALE
};

/** Formats requested by `--time-style`, `--full-time` or TIME_STYLE. @throws UsageError */
export function timeFormatsOf(call: Call, options: Options): TimeFormats {
	const last = options.last('time-style', 'full-time');
	const given = last === 'full-time' ? 'full-iso' : options.get('time-style');
	let style = given ?? call.shell.variables.exported('TIME_STYLE') ?? 'locale';
	if (style.startsWith('+')) {
		const [old = '', recent = old, ...more] = style.slice(1).split('\n');
		if (more.length > 0) throw new UsageError(`invalid time style format '${style.slice(1)}'`);
		return { old, recent };
	}
	const isPosix = style.startsWith('posix-');
	while (style.startsWith('posix-')) style = style.slice('posix-'.length);
	const locale = ['LC_ALL', 'LC_TIME', 'LANG'].map((name) => call.shell.variables.exported(name)).find(Boolean) ?? 'C';
	if (isPosix && /^(?:C|POSIX)$/.test(locale)) return LOCALE;
	const matching = Object.keys(STYLES).filter((name) => name.startsWith(style));
	const found = STYLES[style] ?? (matching.length === 1 ? STYLES[matching[0] ?? ''] : undefined);
	if (found) return found;
	const valid = Object.keys(STYLES).map((name) => `  - [posix-]${name}\n`);
	const more = "  - +FORMAT (e.g., +%H:%M) for a 'date'-style format";
	throw new UsageError(
		`${matching.length > 1 ? 'ambiguous' : 'invalid'} argument '${style}' for 'time style'\nValid arguments are:\n${valid.join('')}${more}`,
		true
	);
}
