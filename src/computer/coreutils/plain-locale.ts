import type { Call } from '#computer/shell/state/host.ts';

/** Returns whether a category such as `LC_TIME` has the POSIX locale, in which GNU's commands use the POSIX formats. */
export function hasPlainLocale({ shell }: Call, category: string): boolean {
	const locale = ['LC_ALL', category, 'LANG'].map((name) => shell.variables.exported(name)).find(Boolean);
	return locale === undefined || locale === 'C' || locale === 'POSIX';
}
