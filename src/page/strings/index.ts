import { en, type Strings } from './en/index.ts';
import type { Language } from './languages.ts';

export type { Strings };

/**
 * Strings of the language in use. {@link speak} replaces them before anything is rendered, so nothing may copy them
 * while modules load.
 */
export let t: Strings = en;

/** Switches to a language. English is always available; others are loaded first. Rejects if they cannot be loaded. */
export async function speak(language: Language): Promise<void> {
	t = language === 'en' ? en : (await import('./zh/index.ts')).zh;
}
