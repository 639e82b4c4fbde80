import { en, type Strings } from './en/index.ts';
import type { Language } from './languages.ts';

export type { Strings };

/**
 * The sentences of the language in use. {@link speak} replaces them before anything is drawn, so nothing may copy them
 * while modules load.
 */
export let t: Strings = en;

/** Takes the sentences of a language. English is always there; others load first. Rejects when they cannot be loaded. */
export async function speak(language: Language): Promise<void> {
	t = language === 'en' ? en : (await import('./zh/index.ts')).zh;
}
