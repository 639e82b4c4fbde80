import { speak, t } from './strings/index.ts';
import { chooseLanguage, languageOf, type Language } from './strings/languages.ts';

const KEY = 'sandglass-language';

/** Language in use. */
export let language: Language = 'en';

/** Locale of dates and numbers; undefined uses the browser's. */
export let locale: string | undefined;

/**
 * Selects the user's language, or the first of the browser's languages that the page supports, before rendering. Never
 * rejects: if the strings cannot be loaded, the page uses English.
 */
export async function useLanguage(): Promise<void> {
	const wanted = chooseLanguage(readChoice(), navigator.languages);
	try {
		await speak(wanted);
		language = wanted;
	} catch (error) {
		console.warn('The sentences could not be loaded, so the page speaks English.', error);
	}
	locale = navigator.languages.find((tag) => languageOf(tag) === language) ?? language;
	document.documentElement.lang = language;
}

/** Stores the user's choice and reloads the page. Rejects, with a sentence, if the browser cannot store it. */
export async function chooseAndReload(choice: Language): Promise<void> {
	try {
		localStorage.setItem(KEY, choice);
	} catch {
		throw new Error(t.settings.languageBlocked);
	}
	location.reload();
}

function readChoice(): string | null {
	try {
		return localStorage.getItem(KEY);
	} catch {
		// Storage is blocked, so no language was chosen.
		return null;
	}
}
