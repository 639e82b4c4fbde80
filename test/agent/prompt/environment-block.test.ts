import { expect, it } from 'vitest';
import { environmentBlock, type EnvironmentFacts } from '#agent/prompt/environment-block.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';

const block = (facts: Partial<EnvironmentFacts> = {}, description?: string): string =>
	environmentBlock(
		{
			workingDirectory: () => '/work',
			platform: () => 'linux',
			osVersion: () => '6.1',
			...(description === undefined ? {} : { description })
		} as ExecutionEnvironment,
		{ isGitRepository: true, branch: 'main', model: 'm', today: new Date('2026-02-03T23:59:00Z'), ...facts }
	);

it('tells the model where it works', () => {
	expect(block({}, 'A tab.')).toBe(
		"<environment>\nWorking directory: /work\nIs git repository: true\nGit branch: main\nPlatform: linux\nOS version: 6.1\nToday's date: 2026-02-03\nModel: m\nA tab.\n</environment>"
	);
	expect(block({ isGitRepository: false, branch: '' })).toContain('Is git repository: false\nGit branch: none\n');
	expect(block()).toMatch(/Model: m\n<\/environment>$/);
});

it.each([
	['claude-opus-4-6-20260101', 'May 2025'],
	['claude-opus-4-5', 'March 2025'],
	['claude-sonnet-4-5', 'January 2025'],
	['claude-haiku-4-5', 'February 2025'],
	['gpt-5.2-codex', 'August 2025'],
	['gpt-5-mini', 'September 2024'],
	['gemini-3-pro', 'January 2025'],
	['gemini-2.5-flash', 'January 2025']
])('tells %s until when it knows the world: %s', (model, cutoff) => {
	expect(block({ model })).toContain(`Model: ${model}\nKnowledge cutoff: ${cutoff}\n`);
});

it('says nothing of that for other models', () => {
	for (const model of ['gpt-4.1', 'my-claude-opus-4-6', 'qwen']) expect(block({ model })).not.toContain('cutoff');
});
