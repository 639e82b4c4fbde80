import type { ExecutionEnvironment } from '../environment/contract.ts';
import type { CollectPromptParts, Profile, PromptParts } from './profile.ts';

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
