import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { CollectPromptParts, Profile, PromptParts } from './profile.ts';

/** Appends the repository's skills to its instructions; both are left out if the repository is not trusted. */
export function withSkills(collect: CollectPromptParts, section: () => Promise<string>): CollectPromptParts {
	return async (environment, profile, userInstructions) => {
		const parts = await collect(environment, profile, userInstructions);
		const texts = [parts.projectInstructions, await section()].filter(Boolean);
		return { ...parts, projectInstructions: texts.join('\n\n') };
	};
}

/**
 * System prompts of a session: the parts are collected once for each profile and user instructions and then
 * frozen, so that the prompt's prefix stays cacheable.
 */
export class SystemPrompts {
	readonly #parts = new Map<string, Promise<PromptParts>>();

	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly collect: CollectPromptParts,
		private readonly userInstructions: () => string,
		private readonly trustProject: boolean
	) {}

	async build(profile: Profile, toolNames: string[]): Promise<string> {
		const instructions = this.userInstructions();
		const key = `${profile.id}\0${profile.model}\0${instructions}`;
		let parts = this.#parts.get(key);
		if (!parts) {
			parts = this.collect(this.environment, profile, instructions);
			this.#parts.set(key, parts);
			// A failure is reported once and retried with the next turn.
			parts.catch(() => this.#parts.delete(key));
		}
		const taken = await parts;
		const projectInstructions = this.trustProject ? taken.projectInstructions : '';
		return profile.buildSystemPrompt({ ...taken, projectInstructions, toolNames });
	}
}
