/** Strings of the dialog for naming a model. */
export const models = {
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
