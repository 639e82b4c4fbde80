import type { Profile } from '../profile.ts';
import type { ToolBinding } from '../tool.ts';

/** Options of a profile; the rest follows from the model's family. */
export interface ProfileOptions {
	model: string;
	/** Client provider that serves it; the family's own by default. */
	provider?: string;
	/** Replaces our own words. */
	basePrompt?: string;
	/** More tools; one with the name of a profile's tool takes its place. */
	tools?: ToolBinding[];
	/** Merged over the profile's own. */
	providerOptions?: Record<string, unknown>;
	contextWindowTokens?: number;
	maxOutputTokens?: number;
	supportsReasoning?: boolean;
	supportsImages?: boolean;
	defaultCommandTimeoutMs?: number;
	readBeforeWrite?: Profile['readBeforeWrite'];
}
