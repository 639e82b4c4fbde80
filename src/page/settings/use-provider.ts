import type { AppState } from '../app-state.svelte.ts';

/** Applies a new key: an open session that only had the demo continues with the provider's first model. */
export async function useProvider(app: AppState, provider: string): Promise<void> {
	await app.reloadModels();
	const choice = app.models.find((model) => model.provider === provider);
	if (choice && app.project?.choice.scripted) await app.project.setModel(choice);
}
