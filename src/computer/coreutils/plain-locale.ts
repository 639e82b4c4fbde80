import type { Call } from '#computer/shell/state/host.ts';

/**
 * Tells whether a category such as `LC_TIME` uses the POSIX locale, in which the output of GNU's commands is as POSIX
 * specifies.
 */
export function hasPlainLocale({ shell }: Call, category: string): boolean {
	const locale = ['LC_ALL', category, 'LANG'].map((name) => shell.variables.exported(name)).find(Boolean);
	return locale === undefined || locale === 'C' || locale === 'POSIX';
}
