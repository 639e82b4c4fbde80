import type { Replacement } from './replacements.ts';

/** Russian as it is usually written in Latin letters. */
const letters: Record<string, string> = {
	а: 'a',
	б: 'b',
	в: 'v',
	г: 'g',
	д: 'd',
	е: 'e',
	ё: 'yo',
	ж: 'zh',
	з: 'z',
	и: 'i',
	й: 'j',
	к: 'k',
	л: 'l',
	м: 'm',
	н: 'n',
	о: 'o',
	п: 'p',
	р: 'r',
	с: 's',
	т: 't',
	у: 'u',
	ф: 'f',
	х: 'h',
	ц: 'c',
	ч: 'ch',
	ш: 'sh',
	щ: 'shch',
	ъ: '',
	ы: 'y',
	ь: '',
	э: 'e',
	ю: 'yu',
	я: 'ya'
};

export const cyrillic: readonly Replacement[] = Object.entries(letters).flatMap(([letter, plain]): Replacement[] => [
	[letter, plain],
	[letter.toUpperCase(), plain.toUpperCase()]
]);
