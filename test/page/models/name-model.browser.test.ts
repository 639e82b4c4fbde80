import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppState } from '#page/app-state.svelte.ts';
import { namedModels } from '#page/models/named-models.ts';
import NameModel from '#page/models/NameModel.svelte';
import type { ModelChoice } from '#page/parts.ts';

const choice = (provider: string, model: string): ModelChoice => ({ provider, model, label: model, scripted: false });

let close = (): void => {};
beforeEach(() => localStorage.clear());
afterEach(() => {
	close();
	document.body.replaceChildren();
	vi.unstubAllGlobals();
	localStorage.clear();
});

/** The dialog over a session with Claude, and what it does to that. */
function show(answer: (url: string) => Response) {
	vi.stubGlobal('fetch', (url: string) => Promise.resolve(answer(url)));
	const chosen: ModelChoice[] = [];
	const failures: unknown[] = [];
	const app = {
		models: [choice('anthropic', 'claude-a'), choice('compatible-home', 'local')],
		project: {
			choice: choice('anthropic', 'claude-a'),
			setModel: (model: ModelChoice) => (chosen.push(model), Promise.resolve())
		},
		reloadModels: () => {
			app.models = [...app.models, ...namedModels().map(({ provider, model }) => choice(provider, model))];
			return Promise.resolve();
		},
		attempt: (work: Promise<unknown>) => void work.catch((error: unknown) => failures.push(error))
	};
	const shown = mount(NameModel, {
		target: document.body,
		props: { app: app as unknown as AppState, request: {} }
	});
	close = () => void unmount(shown);
	flushSync();
	return { chosen, failures };
}

const status = (): string => document.querySelector('[role="status"]')?.textContent.trim() ?? '';
const field = (): HTMLInputElement => document.querySelector('input')!;
const button = (name: string): HTMLButtonElement =>
	[...document.querySelectorAll('button')].find((each) => each.textContent.trim() === name)!;

function type(text: string): void {
	field().value = text;
	field().dispatchEvent(new Event('input', { bubbles: true }));
	flushSync();
}

const lists = (...names: string[]): Response => Response.json({ data: names.map((id) => ({ id })) });

describe('the dialog for another model', () => {
	it('lists what the provider offers, and uses and keeps a name that no list has', async () => {
		const { chosen, failures } = show(() => lists('claude-b', 'claude-c'));
		expect(status()).toBe('Asking Anthropic for its models…');
		await expect.poll(status).toBe('Anthropic offers 2 models. Type to search them.');
		expect([...document.querySelectorAll('datalist option')].map((each) => (each as HTMLOptionElement).value)).toEqual([
			'claude-b',
			'claude-c'
		]);
		expect(button('Use this model').disabled).toBe(true);
		type(' claude-not-yet ');
		expect(status()).toBe('Anthropic doesn’t list this name. You can try it anyway.');
		button('Use this model').click();
		await expect.poll(() => chosen).toEqual([choice('anthropic', 'claude-not-yet')]);
		expect(namedModels()).toEqual([{ provider: 'anthropic', model: 'claude-not-yet' }]);
		expect(failures).toEqual([]);
	});

	it('says so where a provider lists nothing, and takes a name all the same', async () => {
		const { chosen } = show(() => new Response('{}', { status: 500 }));
		await expect.poll(status).toBe('Anthropic didn’t list its models. Type the name as in its API.');
		type('claude-b');
		expect(status()).toBe('Anthropic didn’t list its models. Type the name as in its API.');
		button('Use this model').click();
		await expect.poll(() => chosen).toEqual([choice('anthropic', 'claude-b')]);
	});

	it('asks again for another provider', async () => {
		show((url) => (url.includes('compatible-home') ? lists('local', 'large') : new Response('', { status: 401 })));
		await expect.poll(status).toContain('didn’t list its models');
		const select = document.querySelector('select')!;
		select.value = 'compatible-home';
		select.dispatchEvent(new Event('change', { bubbles: true }));
		flushSync();
		await expect.poll(status).toContain('offers 2 models');
	});
});
