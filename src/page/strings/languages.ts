/** A language of the page, as a BCP 47 tag. */
export type Language = 'en' | 'zh-Hans';

/** Native name of each language. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', 'zh-Hans': '简体中文' };

/** Supported language for a tag such as `zh-CN` or `en-GB`; Traditional Chinese is not Simplified. */
export function languageOf(tag: string): Language | null {
	const { language, script } = parts(tag);
	if (language === 'en') return 'en';
	return language === 'zh' && script === 'Hans' ? 'zh-Hans' : null;
}

/**
 * Selects the language of the page.
 *
 * @param chosen the user's choice, if any
 * @param preferred the browser's languages, most preferred first
 */
export function chooseLanguage(chosen: string | null, preferred: readonly string[]): Language {
	if (chosen === 'en' || chosen === 'zh-Hans') return chosen;
	for (const tag of preferred) {
		const language = languageOf(tag);
		if (language) return language;
	}
	return 'en';
}

function parts(tag: string): { language?: string; script?: string | undefined } {
	try {
		// `zh-CN` has no script; the likely one is added.
		return new Intl.Locale(tag).maximize();
	} catch {
		// Some systems report invalid tags, such as `en-US@posix`, which match no language of the page.
		return {};
	}
}
