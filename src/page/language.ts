import { speak, t } from './strings/index.ts';
import { chooseLanguage, languageOf, type Language } from './strings/languages.ts';

const KEY = 'sandglass-language';

/** The language in use. */
export let language: Language = 'en';

/** How dates and numbers are written; undefined is as the browser does. */
export let locale: string | undefined;

/**
 * Takes the language the person chose, or the first of the browser's that the page speaks, before anything is drawn.
 * Never rejects: when its sentences cannot be loaded, the page speaks English.
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

/** Keeps the person's choice and loads the page again in it. Rejects, with a sentence, where the browser keeps nothing. */
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
		// Storage is blocked: nothing was chosen.
		return null;
	}
}
