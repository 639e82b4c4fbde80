import type { Profile } from '../profile.ts';
import type { ToolBinding } from '../tool.ts';

/** Options of a profile; the rest follows from the model's family. */
export interface ProfileOptions {
	model: string;
	/** Client provider that serves the model; the family's own by default. */
	provider?: string;
	/** Replaces the profile's base prompt. */
	basePrompt?: string;
	/** Additional tools; one with the name of a profile's tool replaces it. */
	tools?: ToolBinding[];
	/** Overrides the profile's own options. */
	providerOptions?: Record<string, unknown>;
	contextWindowTokens?: number;
	maxOutputTokens?: number;
	supportsReasoning?: boolean;
	supportsImages?: boolean;
	defaultCommandTimeoutMs?: number;
	readBeforeWrite?: Profile['readBeforeWrite'];
}
