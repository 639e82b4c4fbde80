import { describe, expect, it } from 'vitest';
import { emptyUsage } from '#llm/usage.ts';
import { draftMessage, draftRequest } from '#page/workbench/changes/draft-message.ts';
import type { ModelChoice, Parts } from '#page/parts.ts';
import type { WorkspaceApi } from '#workspace/contract.ts';

const workspace = {
	changes: async () => [{ path: 'a.txt', kind: 'modified', added: 2, removed: 1, binary: false, version: '1' }],
	exportPatch: async () => `diff --git a/a.txt b/a.txt\n+${'x'.repeat(70_000)}\n`,
	environment: {
		platform: () => 'wasm',
		exec: async () => ({ exitCode: 0, stdout: 'Add the list\nName it\n', stderr: '' })
	}
} as unknown as WorkspaceApi;

/** A model that answers with these pieces, and the requests it received. */
function model(...pieces: string[]) {
	const asked: { system: string; prompt: string }[] = [];
	const writeText: Parts['writeText'] = async (_choice, { system, prompt }, onText) => {
		asked.push({ system, prompt });
		let text = '';
		for (const piece of pieces) onText((text += piece));
		return emptyUsage();
	};
	return { asked, writeText };
}

const draft = (onText: (text: string) => void = () => {}) => ({
	workspace,
	choice: {} as ModelChoice,
	signal: new AbortController().signal,
	onText
});

describe('a drafted text about the changes', () => {
	it('is written from the earlier messages, the paths and a diff of limited length', async () => {
		const { asked, writeText } = model('Say more\n');
		expect(await draftMessage({ writeText }, draft())).toMatchObject({ text: 'Say more' });
		const prompt = asked[0]?.prompt ?? '';
		expect(prompt).toContain('Add the list\nName it');
		expect(prompt).toContain('modified a.txt +2 -1');
		expect(prompt).toContain('[The rest of the diff is left out.]');
		expect(prompt.length).toBeLessThan(61_000);
		expect(prompt.endsWith('Write the commit message.')).toBe(true);
	});

	it('of a pull request has a title and a description, and arrives as it is written, without a fence', async () => {
		const seen: string[] = [];
		const { asked, writeText } = model('```\nSay more', '\n\nBecause less', ' was not enough.\n```');
		const { text } = await draftRequest(
			{ writeText },
			draft((so) => seen.push(so))
		);
		expect(text).toBe('Say more\n\nBecause less was not enough.');
		expect(seen[0]).toBe('Say more');
		expect(asked[0]?.system).toContain('one pull request');
		expect(asked[0]?.prompt.endsWith('Write the title and the description of the pull request.')).toBe(true);
	});

	it('is not asked for once it was stopped', async () => {
		const { asked, writeText } = model('x');
		await expect(draftRequest({ writeText }, { ...draft(), signal: AbortSignal.abort() })).rejects.toThrow();
		expect(asked).toEqual([]);
	});
});
