import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { CollectPromptParts, Profile, PromptParts } from './profile.ts';

/** Parts of a prompt and the section about the skills, which do not depend on trust in the repository alone. */
interface Collected {
	parts: PromptParts;
	skills: string;
}

/**
 * System prompts of a session: the parts are collected once for each profile and user instructions and then
 * frozen, so that the prompt's prefix stays cacheable.
 */
export class SystemPrompts {
	readonly #collected = new Map<string, Promise<Collected>>();

	/**
	 * @param skills returns the section about skills, empty without any
	 * @param trustProject false leaves out the project's instructions
	 */
	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly collect: CollectPromptParts,
		private readonly skills: () => Promise<string>,
		private readonly userInstructions: () => string,
		private readonly trustProject: boolean
	) {}

	async build(profile: Profile, toolNames: string[]): Promise<string> {
		const instructions = this.userInstructions();
		const key = `${profile.id}\0${profile.model}\0${instructions}`;
		let collected = this.#collected.get(key);
		if (!collected) {
			collected = this.#collect(profile, instructions);
			this.#collected.set(key, collected);
			// A failure is reported once and retried with the next turn.
			collected.catch(() => this.#collected.delete(key));
		}
		const { parts, skills } = await collected;
		const projectInstructions = [this.trustProject ? parts.projectInstructions : '', skills]
			.filter(Boolean)
			.join('\n\n');
		return profile.buildSystemPrompt({ ...parts, projectInstructions, toolNames });
	}

	async #collect(profile: Profile, instructions: string): Promise<Collected> {
		const parts = await this.collect(this.environment, profile, instructions);
		return { parts, skills: await this.skills() };
	}
}
