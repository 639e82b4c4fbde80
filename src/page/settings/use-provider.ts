import type { AppState } from '../app-state.svelte.ts';

/** Takes a new key into use: an open session that only had the demo's script goes on with the provider's first model. */
export async function useProvider(app: AppState, provider: string): Promise<void> {
	await app.reloadModels();
	const choice = app.models.find((model) => model.provider === provider);
	if (choice && app.project?.choice.scripted) await app.project.setModel(choice);
}
