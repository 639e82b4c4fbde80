import type { Parts } from '../parts.ts';
import { agentDefaults } from '../settings/agent-defaults.ts';
import type { Project } from './project.svelte.ts';

/**
 * Lets the model find a name for a session, where the user wants that. The name it has stays when the user chose
 * another meanwhile, or when the model gives none: the conversation shows what is wrong with the provider. Never rejects.
 */
export async function nameByModel({
	parts,
	project,
	request,
	until
}: {
	parts: Parts;
	project: Project;
	/** What the user asked first. */
	request: string;
	until: AbortSignal;
}): Promise<void> {
	if (!agentDefaults.now.modelTitles || project.choice.scripted || request.trim() === '') return;
	const { title: before } = project;
	try {
		const { cleanTitle, titlePrompt } = await import('#agent/title.ts');
		let said = '';
		const order = { ...titlePrompt(request), signal: until };
		const usage = await parts.writeText(project.choice, order, (text) => (said = text));
		await project.agent.spend(usage);
		const title = cleanTitle(said);
		if (title !== '' && project.writable && project.title === before) await project.stored.update({ title });
	} catch (error) {
		if (!until.aborted) console.warn('The session was not named by the model:', error);
	}
}
