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
	['claude-opus-5-5', 'June 2026'],
	['claude-opus-5', 'May 2026'],
	['claude-opus-4-6-20260205', 'May 2025'],
	['claude-opus-4-5', 'May 2025'],
	['claude-haiku-4-5-20251001', 'February 2025'],
	['gpt-5.4', 'August 2025'],
	['gpt-5.2-2025-12-11', 'August 2025'],
	['gpt-5-mini', 'May 2024'],
	['gemini-2.5-flash', 'January 2025']
])('tells %s until when it knows the world: %s', (model, cutoff) => {
	expect(block({ model })).toContain(`Model: ${model}\nKnowledge cutoff: ${cutoff}\n`);
});

it('says nothing of that for models whose makers do not say it, however alike their names are', () => {
	const others = ['gpt-5.6-sol', 'gpt-6', 'gpt-5-20', 'claude-opus-4-7', 'gemini-3.8-flash', 'my-gpt-5', 'toString'];
	for (const model of others) expect(block({ model })).not.toContain('cutoff');
});
