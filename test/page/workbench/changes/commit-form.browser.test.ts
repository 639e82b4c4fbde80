import { flushSync, mount, unmount } from 'svelte';
import { expect, it, vi } from 'vitest';
import type { AppState } from '#page/app-state.svelte.ts';
import type { WorkbenchState } from '#page/workbench/workbench.svelte.ts';
import type { Project } from '#page/project/project.svelte.ts';
import { t } from '#page/strings/index.ts';
import CommitForm from '#page/workbench/changes/CommitForm.svelte';

/** The form in a project whose model is the demo's script. */
function show(
	state: Map<string, unknown>,
	exec: () => Promise<object> = async () => ({ exitCode: 1, stdout: '', stderr: '' })
) {
	const writeText = vi.fn();
	const failures: unknown[] = [];
	const project = {
		writable: true,
		environment: { exec },
		choice: { model: 'demo', provider: 'demo', label: 'Scripted demo', scripted: true },
		stored: {
			writable: true,
			summary: { id: 'commit-form' },
			readPageState: async (key: string) => state.get(key),
			writePageState: async (key: string, value: unknown) => void state.set(key, value)
		}
	} as unknown as Project;
	const app = {
		parts: { writeText },
		attempt: (work: Promise<unknown>) => void work.catch((error: unknown) => failures.push(error))
	} as unknown as AppState;
	const workbench = { committing: false } as WorkbenchState;
	const form = mount(CommitForm, { target: document.body, props: { app, project, workbench, oncommit: () => {} } });
	flushSync();
	return { writeText, failures, close: () => unmount(form) };
}

const box = () => document.querySelector('textarea')!;

it('says of the demo’s model that it is a script, asks it for nothing, and leaves what was typed', async () => {
	const { writeText, failures, close } = show(new Map([['commit-message', 'Mine']]));
	await expect.poll(() => box().value).toBe('Mine');
	[...document.querySelectorAll('button')].find(({ innerText }) => innerText === t.review.draft)!.click();
	await expect.poll(() => document.querySelector('[role=status]')?.textContent).toBe(t.review.scripted);
	expect(box().value).toBe('Mine');
	expect(writeText).not.toHaveBeenCalled();
	expect(failures).toEqual([]);
	await close();
});

it('keeps a message that was not used yet', async () => {
	const state = new Map<string, unknown>();
	const first = show(state);
	box().value = 'Half a mess';
	box().dispatchEvent(new Event('input', { bubbles: true }));
	flushSync();
	await first.close();
	const second = show(state);
	await expect.poll(() => box().value).toBe('Half a mess');
	await second.close();
});

it('keeps an author that is typed before the repository has proposed one', async () => {
	localStorage.removeItem('sandglass.author');
	let propose = (): void => {};
	const asked = new Promise<void>((resolve) => (propose = resolve));
	const exec = vi.fn(() => asked.then(() => ({ exitCode: 0, stdout: 'Proposed\n', stderr: '' })));
	const { close } = show(new Map(), exec);
	document.querySelector<HTMLButtonElement>('button.who')!.click();
	flushSync();
	const [name, email] = document.querySelectorAll<HTMLInputElement>('.fields input');
	for (const [field, text] of [
		[name!, 'Ada'],
		[email!, 'ada@example.org']
	] as const) {
		field.value = text;
		field.dispatchEvent(new Event('input', { bubbles: true }));
	}
	propose();
	// Both settings were requested and have arrived.
	await expect.poll(() => exec.mock.settledResults.filter(({ type }) => type === 'fulfilled').length).toBe(2);
	flushSync();
	email!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
	flushSync();
	expect(document.querySelector('button.who')?.textContent).toContain('Ada <ada@example.org>');
	await close();
	localStorage.removeItem('sandglass.author');
});
