import type { StoredSession } from '#session/contract.ts';
import type { ModelChoice, Parts } from '../parts.ts';
import { agentDefaults } from '../settings/agent-defaults.ts';
import type { AgentSettings } from './agent-settings.svelte.ts';

/** Parts of the displayed project that naming it requires. */
interface NamedProject {
	readonly choice: ModelChoice;
	readonly title: string;
	readonly writable: boolean;
	readonly agent: Pick<AgentSettings, 'spend'>;
	readonly stored: Pick<StoredSession, 'update'>;
}

/**
 * Lets the model find a title for a session, if the user enabled that. The current title is kept if the user has
 * changed it meanwhile, or if the model returns none: the conversation shows errors of the provider. Never rejects.
 */
export async function nameByModel({
	parts,
	project,
	request,
	until
}: {
	parts: Parts;
	project: NamedProject;
	/** The user's first message. */
	request: string;
	until: AbortSignal;
}): Promise<void> {
	if (!agentDefaults.now.modelTitles || project.choice.scripted || request.trim() === '') return;
	const { title: before } = project;
	try {
		const { cleanTitle, titlePrompt } = await import('#agent/title.ts');
		let answer = '';
		const order = { ...titlePrompt(request), signal: until };
		const usage = await parts.writeText(project.choice, order, (text) => (answer = text));
		await project.agent.spend(usage);
		const title = cleanTitle(answer);
		if (title !== '' && project.writable && project.title === before) await project.stored.update({ title });
	} catch (error) {
		if (!until.aborted) console.warn('The session was not named by the model:', error);
	}
}
