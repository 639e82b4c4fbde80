import process from 'node:process';
import { familyOf } from '#agent/profiles/for-model.ts';
import { findModel, listModels } from '#llm/catalog.ts';
import { providersFromEnvironment } from '#llm/environment.ts';
import { UsageError } from '../usage.ts';

/** A model and the configured provider that serves it. */
export interface ChosenModel {
	model: string;
	provider: string;
}

const KEYS =
	'Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or COMPATIBLE_<NAME>_BASE_URL for a compatible server.';

/**
 * Chooses model and provider among those that the environment has keys for.
 *
 * @param model absent: the best model of the provider in the catalog
 * @param provider absent: the one of the catalog, then the model family's, then the only one configured
 * @throws UsageError that names the missing settings
 */
export function chooseModel(
	{ model, provider }: { model?: string | undefined; provider?: string | undefined },
	variables: Readonly<Record<string, string | undefined>> = process.env
): ChosenModel {
	const configured = Object.keys(providersFromEnvironment(variables));
	if (configured.length === 0) throw new UsageError(`There is no key for a model. ${KEYS}`);
	if (provider !== undefined && !configured.includes(provider))
		throw new UsageError(`There is no key for ${provider}, only for ${configured.join(', ')}. ${KEYS}`);
	const candidates = provider === undefined ? configured : [provider];
	if (model === undefined) {
		for (const candidate of candidates) {
			const best = listModels(candidate)[0];
			if (best) return { model: best.id, provider: candidate };
		}
		throw new UsageError('Name a model with --model: the catalog lists none for the providers there are keys for.');
	}
	const wanted = [findModel(model)?.provider, familyOf(model, '')];
	const served = wanted.find((each) => each !== undefined && candidates.includes(each));
	const only = candidates.length === 1 ? candidates[0] : undefined;
	const chosen = served ?? only;
	if (chosen === undefined)
		throw new UsageError(`Name the provider of ${model} with --provider: one of ${candidates.join(', ')}.`);
	return { model, provider: chosen };
}
