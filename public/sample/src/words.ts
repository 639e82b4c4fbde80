/** Everything that is no letter or digit of ASCII separates words; an apostrophe inside a word does not. */
export function splitWords(text: string): string[] {
	return text
		.replace(/(?<=[a-z])['’](?=[a-z])/gi, '')
		.split(/[^a-z0-9]+/i)
		.filter((word) => word !== '');
}

/** Joins words until the next one would pass `maxLength`. A first word that is too long is cut. */
export function joinWords(words: string[], separator: string, maxLength: number): string {
	let slug = '';
	for (const word of words) {
		const next = slug === '' ? word : slug + separator + word;
		if (next.length > maxLength) return slug === '' ? word.slice(0, maxLength) : slug;
		slug = next;
	}
	return slug;
}
