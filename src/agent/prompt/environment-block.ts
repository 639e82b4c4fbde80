import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Until when a family of models knows the world, as its maker says; by the beginning of the model's id. */
const KNOWLEDGE: readonly [prefix: string, cutoff: string][] = [
	['claude-opus-4-6', 'May 2025'],
	['claude-opus-4-5', 'March 2025'],
	['claude-sonnet-4-5', 'January 2025'],
	['claude-haiku-4-5', 'February 2025'],
	['gpt-5.2', 'August 2025'],
	['gpt-5', 'September 2024'],
	['gemini-3', 'January 2025'],
	['gemini-2.5', 'January 2025']
];

export interface EnvironmentFacts {
	isGitRepository: boolean;
	branch: string;
	model: string;
	today: Date;
}

/** Describes the environment to the model (000 §6.3). */
export function environmentBlock(environment: ExecutionEnvironment, facts: EnvironmentFacts): string {
	const cutoff = KNOWLEDGE.find(([prefix]) => facts.model.startsWith(prefix))?.[1];
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
