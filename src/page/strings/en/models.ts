/** Strings of the dialog for naming a model. */
export const models = {
	title: 'Use another model',
	provider: 'Provider',
	name: 'Name of the model',
	asking: (provider: string) => `Asking ${provider} for its models…`,
	listed: (provider: string, count: number) =>
		`${provider} offers ${count} ${count === 1 ? 'model' : 'models'}. Type to search them.`,
	notListed: (provider: string) => `${provider} does not list this name. It can be tried all the same.`,
	noList: (provider: string) => `${provider} did not tell its models. Type the name as its API has it.`,
	window: (tokens: number) => `Reads up to ${tokens.toLocaleString('en')} tokens.`,
	unknown: 'Nothing is known of this model: it is used with careful limits, and no cost is shown.',
	cancel: 'Cancel',
	use: 'Use this model'
};
