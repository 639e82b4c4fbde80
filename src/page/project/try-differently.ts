import type { ContentPart } from '#llm/types.ts';
import type { AppState } from '../app-state.svelte.ts';
import { carryAttachments, readAttachments } from '../attachments/store-attachment.ts';
import { textOf } from './message-text.ts';
import type { Project } from './project.svelte.ts';

/**
 * Forks the session before a step, given by the index of the checkpoint after it, and sends different instructions
 * there.
 */
export async function tryDifferently(
	app: AppState,
	project: Project,
	index: number,
	message: string | ContentPart[]
): Promise<void> {
	const before = project.checkpoints[Math.max(0, index - 1)];
	if (!before) throw new RangeError('The history has no step to fork from.');
	// The files were attached just now, so the earlier moment does not have them.
	const files = await readAttachments(project.environment, textOf(message));
	await app.fork(project, before);
	// If the user left meanwhile, there is no fork to send to.
	const fork = app.project;
	if (!fork || fork === project) return;
	await carryAttachments(fork.environment, files);
	fork.send(message);
}
