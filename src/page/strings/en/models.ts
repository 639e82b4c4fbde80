import type { ModelBadge } from '#llm/catalog-types.ts';

const badges: Record<ModelBadge, string> = { new: 'new', fast: 'fast', preview: 'preview' };

/** Strings of remarks on models, and of the dialog for naming one. */
export const models = {
	badges,
	ends: (date: string) => `until ${date}`,
	ended: (date: string) => `ended ${date}`,
	title: 'Use another model',
	provider: 'Provider',
	name: 'Name of the model',
	asking: (provider: string) => `Asking ${provider} for its models…`,
	listed: (provider: string, count: number) =>
		`${provider} offers ${count} ${count === 1 ? 'model' : 'models'}. Type to search them.`,
	notListed: (provider: string) => `${provider} doesn’t list this name. You can try it anyway.`,
	noList: (provider: string) => `${provider} didn’t list its models. Type the name as in its API.`,
	window: (tokens: number) => `Reads up to ${tokens.toLocaleString('en')} tokens.`,
	unknown: 'This model is unknown, so it gets careful limits and shows no cost.',
	cancel: 'Cancel',
	use: 'Use this model'
};
