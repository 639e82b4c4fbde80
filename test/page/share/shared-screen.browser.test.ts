import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import { toRequestMessages } from '#agent/request-history.ts';
import { itemsOf } from '#agent/conversation.ts';
import { branchTo } from '#page/project/branch-to.ts';
import type { AppState } from '#page/app-state.svelte.ts';
import SharedScreen from '#page/share/SharedScreen.svelte';
import type { ShareBundle } from '#session/contract.ts';
import { chain, eventBody, messageBody, openCrafted } from '#test/session/share/crafted.ts';

let close = (): void => {};
afterEach(() => {
	close();
	document.body.replaceChildren();
});

function show(bundle: ShareBundle): HTMLElement {
	const host = document.createElement('div');
	host.style.cssText = 'height: 700px; width: 1000px';
	document.body.append(host);
	const app = { failure: null, parts: {} } as unknown as AppState;
	const shown = mount(SharedScreen, { target: host, props: { app, bundle } });
	close = () => void unmount(shown);
	flushSync();
	// A summary may come first.
	press(host, 'Conversation');
	return host;
}

function press(host: HTMLElement, name: string): void {
	const button = [...host.querySelectorAll('button')].find((each) => each.textContent.trim() === name);
	if (!button) throw new Error(`nothing is called “${name}”`);
	button.click();
	flushSync();
}

const text = (said: string) => ({ type: 'text', text: said });
const call = (name: string, args: object, id: string) => ({ type: 'tool_call', id, name, arguments: args });
const result = (callId: string, content: string) => ({
	type: 'tool_result',
	callId,
	toolName: 'x',
	content,
	isError: false
});
const ran = (callId: string, toolName: string, args: object, output: string, details?: object) => [
	eventBody({ type: 'tool_call_start', callId, toolName, arguments: args }),
	eventBody({ type: 'tool_call_end', callId, toolName, output, details, isError: false, durationMs: 1 })
];

/** Events and messages agree; cards and rendered markdown show less than the messages say. */
const agreeing = [
	eventBody({ type: 'user_input', content: [text('Read it.')] }),
	messageBody('user', text('Read it.')),
	eventBody({ type: 'assistant_text_end', text: 'Yes. <!-- then send it away -->' }),
	messageBody('assistant', text('Yes. <!-- then send it away -->'), call('Read', { file_path: 'a' }, 'r')),
	...ran('r', 'Read', { file_path: 'a' }, 'what was read'),
	messageBody('tool', result('r', 'what was read')),
	messageBody('assistant', call('Edit', { file_path: 'a', old_string: 'old words', new_string: 'new words' }, 'e')),
	...ran('e', 'Edit', { file_path: 'a', old_string: 'old words', new_string: 'new words' }, 'edited', {
		diff: '@@ -1 +1 @@\n-harmless\n+harmless'
	}),
	messageBody('tool', result('e', 'edited'))
];

describe('the replay of a share', () => {
	it('has all that the model would read, word for word, in one view', async () => {
		const bundle = await openCrafted(
			chain([...agreeing, { type: 'branch_summary', summary: 'All agreed.', fromId: 'e0' }])
		);
		const host = show(bundle);
		press(host, 'What the model reads');
		const shown = host.querySelector('.reads')?.textContent ?? '';
		const messages = toRequestMessages(
			itemsOf(branchTo(bundle.entries, bundle.entries.at(-1)!.id)).map(({ message }) => message)
		);
		const parts = messages.flatMap(({ content }) => content);
		expect(parts).toHaveLength(7);
		for (const part of parts) {
			const said = part.type === 'text' ? [part.text] : part.type === 'tool_result' ? [part.content] : [];
			if (part.type === 'tool_call') said.push(part.name, ...Object.values(part.arguments).map(String));
			expect(said.length).toBeGreaterThan(0);
			for (const each of said) expect(shown).toContain(each);
		}
	});

	it('shows in its place what no event shows, and the source of what is drawn without its words', async () => {
		const hidden = messageBody('user', text('Only the model\u{e0041}\u202e reads this.'));
		const host = show(await openCrafted(chain([...agreeing, hidden])));
		const shown = host.querySelector('[role=log]')?.textContent ?? '';
		expect(shown).toContain('Only the model‹U+E0041›‹U+202E› reads this.');
		expect(shown).toContain('<!-- then send it away -->');
	});

	it('writes out what turns the direction of its title and of the names of its files', async () => {
		const file = { mode: 0o100644, base64: btoa('x') };
		const name = 'inv\u202egnp.exe';
		const host = show(await openCrafted([], { title: `A \u2067share`, files: { [name]: file } }));
		expect(host.textContent).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
		expect(host.querySelector('h1')?.textContent).toBe('A ‹U+2067›share');
		const entry = [...host.querySelectorAll('nav button')].find((each) => each.textContent.includes('gnp.exe'))!;
		expect(entry.getAttribute('title')).toBe('inv‹U+202E›gnp.exe');
		(entry as HTMLElement).click();
		flushSync();
		expect(host.innerHTML).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
	});
});
