import type { Replacement } from './replacements.ts';

/** Modern Greek as it is usually written in Latin letters. */
const letters: Record<string, string> = {
	α: 'a',
	β: 'b',
	γ: 'g',
	δ: 'd',
	ε: 'e',
	ζ: 'z',
	η: 'i',
	θ: 'th',
	ι: 'i',
	κ: 'k',
	λ: 'l',
	μ: 'm',
	ν: 'n',
	ξ: 'x',
	ο: 'o',
	π: 'p',
	ρ: 'r',
	σ: 's',
	τ: 't',
	υ: 'y',
	φ: 'f',
	χ: 'ch',
	ψ: 'ps',
	ω: 'o',
	ς: 's',
	ά: 'a',
	έ: 'e',
	ή: 'i',
	ί: 'i',
	ό: 'o',
	ύ: 'y',
	ώ: 'o'
};

export const greek: readonly Replacement[] = Object.entries(letters).flatMap(([letter, plain]): Replacement[] => [
	[letter, plain],
	[letter.toUpperCase(), plain.toUpperCase()]
]);
