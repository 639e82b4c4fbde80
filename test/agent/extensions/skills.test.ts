import { describe, expect, it } from 'vitest';
import { fakeSession, ofType, temporaryEnvironment } from '../fake-session.ts';
import { fakeProfile } from '../fake-tools.ts';

const RELEASE = `---
name: Release
description: >
  How a release is made.
  Use it before tagging.
---
1. Run the tests.
2. Tag.
`;

async function repository() {
	const environment = await temporaryEnvironment();
	await environment.writeFile('.agents/skills/release/SKILL.md', RELEASE);
	await environment.writeFile('.claude/skills/review/SKILL.md', '---\ndescription: "How we review."\n---\nBe kind.');
	await environment.writeFile(
		'.claude/skills/release/SKILL.md',
		'---\nname: release\ndescription: A later one.\n---\nNo.'
	);
	await environment.writeFile('.claude/skills/empty/SKILL.md', 'No front matter.');
	return environment;
}
const profile = fakeProfile([], { buildSystemPrompt: (parts) => parts.projectInstructions });

describe('the skills of a repository', () => {
	it('stand in the prompt by name, and are read through a tool', async () => {
		const turns = [{ calls: [{ name: 'skill', arguments: { name: 'release' } }] }, { text: 'Tagged.' }];
		const { session, client, seen } = await fakeSession(turns, {
			environment: await repository(),
			profile,
			trustProjectInstructions: true
		});
		await session.submit('Release it').result;
		expect(client.requests[0]?.system).toContain('- release: How a release is made. Use it before tagging.');
		expect(client.requests[0]?.system).toContain('- review: How we review.');
		expect(client.requests[0]?.system).not.toContain('A later one');
		expect(client.requests[0]?.system).not.toContain('Run the tests');
		expect(ofType(seen, 'tool_call_end')[0]?.output).toMatch(
			/^<skill name="release" folder=".*\.agents\/skills\/release">\n1\. Run/
		);
	});

	it("include the user's own, in a repository that is not trusted too; the repository's win where it is", async () => {
		const user = await temporaryEnvironment();
		await user.writeFile('skills/mine/SKILL.md', '---\ndescription: My way.\n---\nAlways.');
		await user.writeFile('skills/review/SKILL.md', '---\ndescription: My reviews.\n---\nStrict.');
		const userSkillFolders = [`${user.workingDirectory()}/skills`, '/no/such/folder'];
		const names = async (trustProjectInstructions: boolean) => {
			const { session, client } = await fakeSession([{ text: 'Ok.' }], {
				environment: await repository(),
				profile,
				trustProjectInstructions,
				userSkillFolders
			});
			await session.submit('Hi').result;
			const lines = client.requests[0]?.system?.split('\n').filter((line) => line.startsWith('- ')) ?? [];
			return lines.map((line) => line.slice(2));
		};
		expect(await names(false)).toEqual(['mine: My way.', 'review: My reviews.']);
		const trusted = await names(true);
		expect(trusted).toContain('review: How we review.');
		expect(trusted).toContain('mine: My way.');
		expect(trusted).not.toContain('review: My reviews.');
	});

	it('are slash commands, with the words behind them', async () => {
		const { session, client } = await fakeSession([{ text: 'Ok.' }, { text: 'Ok.' }], {
			environment: await repository(),
			profile,
			trustProjectInstructions: true
		});
		expect((await session.skills()).map(({ name }) => name)).toEqual(['release', 'review']);
		await session.submit('/review only src/a.ts').result;
		const said = JSON.stringify(client.requests[0]?.messages[0]?.content);
		expect(said).toContain('Be kind.');
		expect(said).toContain('Arguments: only src/a.ts');
		await session.submit('/unknown thing').result;
		expect(JSON.stringify(client.requests[1]?.messages.at(-1))).toContain('/unknown thing');
	});

	it('are not there where no one trusts the repository, or they are switched off', async () => {
		for (const options of [{}, { trustProjectInstructions: true, skills: false }]) {
			const { session, client } = await fakeSession([{ text: 'Ok.' }], {
				environment: await repository(),
				profile,
				...options
			});
			await session.submit('/review').result;
			expect(client.requests[0]?.system).not.toContain('release');
			expect(client.requests[0]?.tools ?? []).toEqual([]);
			expect(JSON.stringify(client.requests[0]?.messages)).toContain('/review');
		}
	});

	it('are named where one is asked for that does not exist', async () => {
		const turns = [{ calls: [{ name: 'skill', arguments: { name: 'deploy' } }] }, { text: 'Ok.' }];
		const environment = await repository();
		const { session, seen } = await fakeSession(turns, { environment, profile, trustProjectInstructions: true });
		await session.submit('Deploy it').result;
		expect(ofType(seen, 'tool_call_end')).toMatchObject([
			{ isError: true, output: expect.stringContaining('There is no skill deploy. There are: release, review.') }
		]);
	});

	it('are followed with the words behind their name, or without any', async () => {
		const { session, client } = await fakeSession([{ text: 'Ok.' }, { text: 'Ok.' }, { text: 'Ok.' }], {
			environment: await repository(),
			profile,
			trustProjectInstructions: true
		});
		const inputs = ['/review', '/Review  the last\ncommit ', '/unknown now'];
		for (const input of inputs) await session.submit(input).result;
		const said = client.requests.map(({ messages }) => messages.at(-1)?.content[0]);
		const head = 'Follow the skill review:\n\n<skill name="review"';
		expect(said).toMatchObject([
			{ text: expect.stringMatching(/<\/skill>$/) },
			{ text: expect.stringMatching(/<\/skill>\n\nArguments: the last\ncommit$/) },
			{ text: '/unknown now' }
		]);
		expect(said.slice(0, 2)).toMatchObject([head, head].map((text) => ({ text: expect.stringContaining(text) })));
	});
});
