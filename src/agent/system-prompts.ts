import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { CollectPromptParts, Profile, PromptParts } from './profile.ts';

/** Puts what the repository teaches behind its instructions, which are left out together where it is not trusted. */
export function withSkills(collect: CollectPromptParts, section: () => Promise<string>): CollectPromptParts {
	return async (environment, profile, userInstructions) => {
		const parts = await collect(environment, profile, userInstructions);
		const texts = [parts.projectInstructions, await section()].filter(Boolean);
		return { ...parts, projectInstructions: texts.join('\n\n') };
	};
}

/** The prompts of a session: their parts are taken once a profile and stay frozen, so that the prompt's prefix does. */
export class SystemPrompts {
	readonly #parts = new Map<string, Promise<PromptParts>>();

	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly collect: CollectPromptParts,
		private readonly userInstructions: string,
		private readonly trustProject: boolean
	) {}

	async build(profile: Profile, toolNames: string[]): Promise<string> {
		const key = `${profile.id}\0${profile.model}`;
		let parts = this.#parts.get(key);
		if (!parts) {
			parts = this.collect(this.environment, profile, this.userInstructions);
			this.#parts.set(key, parts);
			// A failure is told once and tried again with the next turn.
			parts.catch(() => this.#parts.delete(key));
		}
		const taken = await parts;
		const projectInstructions = this.trustProject ? taken.projectInstructions : '';
		return profile.buildSystemPrompt({ ...taken, projectInstructions, toolNames });
	}
}
