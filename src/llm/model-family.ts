import type { ModelTraits } from './catalog-types.ts';

/** Traits that differ among families: all of them call tools and accept images. */
type Traits = Omit<ModelTraits, 'tools' | 'images'>;

const MILLION = 1_000_000;

/** Traits of a Claude model by version: `claude-opus-4-8`, `claude-3-7-sonnet`, `claude-mythos-preview`. */
function claude(name: string): Traits {
	const version = versionIn(name, /^claude(?:-[a-z]+)?-(\d+)(?:-(\d{1,2}))?(?!\d)/);
	// Thinking cannot be disabled for the families above Opus.
	if (/^claude-(?:fable|mythos)/.test(name))
		return { contextWindow: version ? MILLION : 200_000, maxOutput: 128_000, reasoning: 'adaptive-always' };
	if (!version) return { contextWindow: 200_000, maxOutput: 64_000, reasoning: 'adaptive' };
	if (version >= of(5)) return { contextWindow: MILLION, maxOutput: 128_000, reasoning: 'adaptive' };
	if (version >= of(4, 6)) {
		const isSmall = name.includes('haiku');
		return { contextWindow: isSmall ? 200_000 : MILLION, maxOutput: isSmall ? 64_000 : 128_000, reasoning: 'adaptive' };
	}
	if (version >= of(3, 7)) return { contextWindow: 200_000, maxOutput: 32_000, reasoning: 'budget' };
	return { contextWindow: 200_000, maxOutput: 4_096, reasoning: 'none' };
}

function gpt(name: string): Traits {
	const version = versionIn(name, /^gpt-(\d+)(?:\.(\d+))?/) ?? 0;
	if (/-chat/.test(name)) return { contextWindow: 128_000, maxOutput: 16_384, reasoning: 'none' };
	if (version >= of(5, 4) && !/-(?:mini|nano|codex)/.test(name))
		return { contextWindow: 1_050_000, maxOutput: 128_000, reasoning: 'effort' };
	if (version >= of(5)) return { contextWindow: 400_000, maxOutput: 128_000, reasoning: 'effort' };
	if (version >= of(4, 1)) return { contextWindow: 1_047_576, maxOutput: 32_768, reasoning: 'none' };
	return { contextWindow: 128_000, maxOutput: 16_384, reasoning: 'none' };
}

function gemini(name: string): Traits {
	const version = versionIn(name, /^gemini-(\d+)(?:\.(\d+))?/) ?? 0;
	const contextWindow = 1_048_576;
	if (version >= of(3)) return { contextWindow, maxOutput: 65_536, reasoning: 'level' };
	if (version >= of(2, 5)) return { contextWindow, maxOutput: 65_536, reasoning: 'budget' };
	return { contextWindow, maxOutput: 8_192, reasoning: 'none' };
}

const FAMILIES: [names: RegExp, traits: (name: string) => Traits][] = [
	[/^claude-/, claude],
	[/^gpt-/, gpt],
	[/^codex-/, () => ({ contextWindow: 400_000, maxOutput: 128_000, reasoning: 'effort' })],
	[/^o\d/, () => ({ contextWindow: 200_000, maxOutput: 100_000, reasoning: 'effort' })],
	[/^gemini-/, gemini]
];

/**
 * Default traits of a model missing from the catalog, by its family and version. Conservative: a window assumed
 * too small only compacts earlier. `undefined` for a name of an unknown family.
 */
export function traitsByName(id: string): ModelTraits | undefined {
	// Services that forward models prefix the name with its maker.
	const name = id.toLowerCase().split('/').at(-1) ?? '';
	const family = FAMILIES.find(([names]) => names.test(name));
	return family && { tools: true, images: true, ...family[1](name) };
}

function versionIn(name: string, pattern: RegExp): number | null {
	const found = pattern.exec(name);
	return found ? of(Number(found[1]), Number(found[2] ?? 0)) : null;
}

/** A version as one number: 4.10 is newer than 4.6. */
const of = (major: number, minor = 0): number => major * 100 + minor;
