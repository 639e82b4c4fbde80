/** A language the page speaks, as a BCP 47 tag. */
export type Language = 'en' | 'zh-Hans';

/** Native name of each language. */
export const LANGUAGES: Readonly<Record<Language, string>> = { en: 'English', 'zh-Hans': '简体中文' };

/** The language a tag such as `zh-CN` or `en-GB` can be served with; Traditional Chinese is not Simplified. */
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
		// `zh-CN` says no script; what is likely for it is added.
		return new Intl.Locale(tag).maximize();
	} catch {
		// Some systems give tags that are none, such as `en-US@posix`: they ask for nothing the page knows.
		return {};
	}
}
