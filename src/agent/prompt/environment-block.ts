import type { ExecutionEnvironment } from '#environment/contract.ts';

/**
 * Knowledge cutoff months of models, according to their vendors' documentation (read on 2026-11-30). Keyed by full ids,
 * since a later model of the same family knows more; the prompt omits the cutoff for unlisted models.
 */
const KNOWLEDGE: Readonly<Record<string, string>> = {
	'claude-fable-5-1': 'June 2026',
	'claude-opus-5-5': 'June 2026',
	'claude-sonnet-5-5': 'June 2026',
	'claude-haiku-5-5': 'June 2026',
	'claude-opus-5': 'May 2026',
	'claude-fable-5': 'January 2026',
	'claude-sonnet-5': 'January 2026',
	'claude-opus-4-6': 'May 2025',
	'claude-opus-4-5': 'May 2025',
	'claude-sonnet-4-5': 'January 2025',
	'claude-haiku-4-5': 'February 2025',
	'gpt-5.4': 'August 2025',
	'gpt-5.2': 'August 2025',
	'gpt-5.2-codex': 'August 2025',
	'gpt-5': 'September 2024',
	'gpt-5-mini': 'May 2024',
	'gpt-5-nano': 'May 2024',
	'gemini-3.1-pro-preview': 'January 2025',
	'gemini-3-pro-preview': 'January 2025',
	'gemini-2.5-pro': 'January 2025',
	'gemini-2.5-flash': 'January 2025'
};

/** Release date at the end of a model id. */
const RELEASE = /-(\d{8}|\d{4}-\d{2}-\d{2})$/;

export interface EnvironmentFacts {
	isGitRepository: boolean;
	branch: string;
	model: string;
	today: Date;
}

/** Describes the environment to the model (000 §6.3). */
export function environmentBlock(environment: ExecutionEnvironment, facts: EnvironmentFacts): string {
	const id = facts.model.replace(RELEASE, '');
	const cutoff = Object.hasOwn(KNOWLEDGE, id) ? KNOWLEDGE[id] : undefined;
	const { description } = environment;
	return [
		'<environment>',
		`Working directory: ${environment.workingDirectory()}`,
		`Is git repository: ${facts.isGitRepository}`,
		`Git branch: ${facts.branch || 'none'}`,
		`Platform: ${environment.platform()}`,
		`OS version: ${environment.osVersion()}`,
		`Today's date: ${facts.today.toISOString().slice(0, 10)}`,
		`Model: ${facts.model}`,
		...(cutoff === undefined ? [] : [`Knowledge cutoff: ${cutoff}`]),
		...(description === undefined ? [] : [description]),
		'</environment>'
	].join('\n');
}
