import type { AppState } from '../app-state.svelte.ts';
import type { Project } from '../project/project.svelte.ts';

/**
 * Continues a session in this tab that can no longer use its machine: with the last copied files if the machine was
 * lost, read-only if another tab has taken the session.
 */
export async function continueHere(app: AppState, project: Project, writable: boolean): Promise<void> {
	const { returnAfterLoss, stepBack } = await import('./move.svelte.ts');
	if (writable) await returnAfterLoss(app, project);
	else await stepBack(app, project);
}
