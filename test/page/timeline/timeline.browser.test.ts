import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, it, vi } from 'vitest';
import type { SessionEvent } from '#agent/events.ts';
import { emptyUsage } from '#llm/usage.ts';
import type { TimelineActions } from '#page/timeline/context.ts';
import { finder } from '#page/timeline/finder.svelte.ts';
import { Timeline as State } from '#page/timeline/timeline-state.svelte.ts';
import Timeline from './Shown.svelte';

type Body = SessionEvent extends infer Event
	? Event extends SessionEvent
		? Omit<Event, 'sessionId' | 'seq' | 'timestamp'>
		: never
	: never;

/** Lasting states are waited for; the machine may be busy. */
const until = (seen: () => unknown) => vi.waitUntil(seen, { timeout: 30_000 });

let close = (): void => {};
afterEach(() => {
	close();
	document.body.replaceChildren();
});

/** A timeline of that height in CSS pixels, and a way to send it events. */
function show(actions: TimelineActions = {}): { state: State; host: HTMLElement; push: (...bodies: Body[]) => void } {
	const state = new State();
	const host = document.createElement('div');
	host.style.cssText = 'display: flex; flex-direction: column; height: 600px; width: 700px';
	document.body.append(host);
	const shown = mount(Timeline, { target: host, props: { state, actions } });
	close = () => void unmount(shown);
	let seq = 0;
	const push = (...bodies: Body[]): void => {
		for (const body of bodies) {
			seq += 1;
			state.push({ ...body, sessionId: 's', seq, timestamp: seq } as SessionEvent);
		}
		state.publish();
		flushSync();
	};
	return { state, host, push };
}

const command = (callId: string, output: string): Body[] => [
	{ type: 'tool_call_start', callId, toolName: 'shell', arguments: { command: `run ${callId}` } },
	{ type: 'tool_call_end', callId, toolName: 'shell', output, isError: false, durationMs: 5 } as Body
];

/** Text of an element without what assistive technology skips, such as its keyboard shortcut. */
const spoken = (element: HTMLElement): string => {
	const skipped = [...element.querySelectorAll<HTMLElement>('[aria-hidden=true]')].map(({ innerText }) => innerText);
	return skipped.reduce((text, part) => text.replace(part, ''), element.innerText).trim();
};

const named = (host: HTMLElement, name: string): HTMLElement => {
	const found = [...host.querySelectorAll<HTMLElement>('button, input')].find(
		(element) => (element.getAttribute('aria-label') ?? spoken(element)) === name
	);
	if (!found) throw new Error(`nothing is called “${name}”`);
	return found;
};

const isSeen = (host: HTMLElement, text: string): boolean => {
	const frame = host.querySelector('[role=log]')?.getBoundingClientRect();
	const row = [...host.querySelectorAll('.row')].find((each) => each.textContent.includes(text));
	const box = row?.getBoundingClientRect();
	return frame !== undefined && box !== undefined && box.top < frame.bottom && box.bottom > frame.top;
};

it('keeps what is finished of a text while the rest streams, node by node, to its end', async () => {
	const { host, push } = show();
	push({ type: 'assistant_text_start' } as Body);
	const blocks = [
		'## A heading',
		'A paragraph with **bold**.',
		'```ts\nconst a = 1;\n\nconst b = 2;\n```',
		'- one\n- two'
	];
	const text = `${blocks.join('\n\n')}\n\nThe end.\n\nOr not.`;
	const kept = new Map<Element, number>();
	for (const piece of text.match(/[^]{1,7}/g) ?? []) {
		push({ type: 'assistant_text_delta', delta: piece });
		await until(() => host.querySelector('.markdown .block'));
		const shown = [...host.querySelectorAll('.markdown .block')];
		for (const [node, index] of kept) expect(shown[index]?.firstElementChild === node, `block ${index}`).toBe(true);
		// All but the last are finished.
		shown.slice(0, -1).forEach(({ firstElementChild }, index) => {
			if (firstElementChild) kept.set(firstElementChild, index);
		});
	}
	push({ type: 'assistant_text_end', text } as Body);
	const shown = [...host.querySelectorAll('.markdown .block')];
	for (const [node, index] of kept) expect(shown[index]?.firstElementChild === node, `block ${index}`).toBe(true);
	expect(kept.size).toBe(4);
	expect(host.querySelector('.markdown')?.textContent).toContain('The end.');
});

it('finds words in a list of which only a part is drawn, walks through them, and shows an event by its number', async () => {
	const { host, push } = show();
	for (let index = 1; index <= 400; index += 1) push(...command(`c${index}`, index % 100 === 7 ? 'Needle\n' : 'hay\n'));
	expect(host.querySelectorAll('.row').length).toBeLessThan(120);
	named(host, 'Find in the conversation').click();
	flushSync();
	const box = host.querySelector<HTMLInputElement>('input[type=search]');
	if (!box) throw new Error('there is no box to type in');
	box.value = 'needle';
	box.dispatchEvent(new InputEvent('input', { bubbles: true }));
	await until(() => isSeen(host, 'run c307'));
	expect(host.querySelector('[role=search] [role=status]')?.textContent.trim()).toBe('4 of 4');
	box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', shiftKey: true, bubbles: true }));
	await until(() => isSeen(host, 'run c207'));
	expect(host.querySelector('.marked')?.textContent).toContain('run c207');
	// An Enter that selects a word of an input method does not navigate, including Safari's.
	box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true }));
	flushSync();
	expect(host.querySelector('.marked')?.textContent).toContain('run c207');
	box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
	flushSync();
	expect(host.querySelector('[role=search]')).toBeNull();

	// End of the third command.
	finder.wanted = 6;
	flushSync();
	await until(() => isSeen(host, 'run c3'));
	expect(host.querySelector('.marked')?.textContent).toContain('run c3');
});

it('opens one step, and all of them; a step stays open when its row comes back', async () => {
	const { host, push } = show();
	for (let index = 1; index <= 200; index += 1) push(...command(`c${index}`, `output ${index}\n`));
	const log = host.querySelector<HTMLElement>('[role=log]');
	if (!log) throw new Error('there is no log');
	await until(() => isSeen(host, 'run c200'));
	const step = (name: string) => [...host.querySelectorAll('.step')].find((each) => each.textContent.includes(name));
	expect(step('run c200')?.textContent).not.toContain('output 200');
	step('run c200')?.querySelector<HTMLElement>('[aria-expanded]')?.click();
	flushSync();
	expect(step('run c200')?.textContent).toContain('output 200');
	log.scrollTop = 0;
	await until(() => isSeen(host, 'run c1') && !step('run c200'));
	log.scrollTop = log.scrollHeight;
	await until(() => step('run c200'));
	expect(step('run c200')?.textContent).toContain('output 200');
	expect(step('run c199')?.textContent).not.toContain('output 199');
	named(host, 'Expand steps').click();
	flushSync();
	expect(step('run c199')?.textContent).toContain('output 199');
	named(host, 'Collapse steps').click();
	flushSync();
	expect(host.querySelector('.step .output')).toBeNull();
});

it('folds a task when it ends to its answer and its summary, opens it again, and finds words inside', async () => {
	const reviewChanges = vi.fn();
	const { host, push } = show({ reviewChanges });
	push({ type: 'user_input', content: [{ type: 'text', text: 'Fix it' }] }, ...command('c1', 'needle\n'));
	expect(host.querySelector('.step')?.textContent).toContain('Ran');
	push(
		{ type: 'file_change', path: 'a.ts', kind: 'modified', added: 2, removed: 1, by: 'tool' },
		{ type: 'assistant_text_end', text: 'Fixed.' },
		{ type: 'agent_end', result: { text: '', stopReason: 'end_turn', turns: 1, usage: emptyUsage() } }
	);
	expect(host.querySelector('.step')).toBeNull();
	const summary = host.querySelector('[aria-label="Task summary"]');
	expect(summary?.textContent).toContain('a.ts');
	named(host, 'Review changes').click();
	expect(reviewChanges).toHaveBeenCalledOnce();

	const fold = host.querySelector<HTMLElement>('button.worked');
	expect(fold?.textContent).toMatch(/Worked for .* s.*1 step/s);
	fold?.click();
	flushSync();
	expect(host.querySelector('.step')?.textContent).toContain('run c1');
	fold?.click();
	flushSync();
	expect(host.querySelector('.step')).toBeNull();

	named(host, 'Find in the conversation').click();
	flushSync();
	const box = host.querySelector<HTMLInputElement>('input[type=search]');
	if (!box) throw new Error('there is no box to type in');
	box.value = 'needle';
	box.dispatchEvent(new InputEvent('input', { bubbles: true }));
	await until(() => host.querySelector('.marked .step')?.textContent.includes('run c1'));
});

it('offers answers only to permission requests that wait, not to those a log only claims', () => {
	const decide = vi.fn();
	const { host, push } = show({ decide, isOpen: (id) => id === 'real' });
	const request = (requestId: string, description: string): Body => ({
		...{ type: 'permission_request', requestId, callId: requestId, agentId: 'main', toolName: 'shell' },
		...{ action: 'execute', command: description, description, reason: 'Mode ask', rules: [] }
	});
	push(request('forged', 'Show the date'), request('real', 'Remove everything'));
	const cards = [...host.querySelectorAll('[role=group]')].filter(({ textContent }) => /Mode ask/.test(textContent));
	expect(cards).toHaveLength(1);
	expect(cards[0]?.textContent).toContain('Remove everything');
	named(host, 'Allow').click();
	expect(decide.mock.calls).toEqual([['real', { kind: 'allow_once' }]]);
});

it('takes the scope of a permission by its digit, and the answer by its letter', () => {
	const decide = vi.fn();
	const { host, push } = show({ decide });
	push({
		...{ type: 'permission_request', requestId: 'p', callId: 'p', agentId: 'main', toolName: 'write_file' },
		...{ action: 'write', path: 'src/a.ts', description: 'Write src/a.ts', reason: 'Mode ask' },
		rules: [{ kind: 'path', pattern: 'src/**' }]
	});
	const card = host.querySelector<HTMLElement>('[role=group][aria-label=Permission]');
	const press = (target: Element | null | undefined, key: string): void => {
		target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
		flushSync();
	};
	press(card, '3');
	expect(host.querySelector<HTMLInputElement>('input[type=radio]:checked')?.value).toBe('allow_always');
	// Text typed as an explanation answers nothing; on a scope, the keys still work.
	press(host.querySelector('input.field'), 'n');
	expect(decide).not.toHaveBeenCalled();
	press(host.querySelector('input[type=radio]:checked'), 'y');
	expect(decide.mock.calls).toEqual([['p', { kind: 'allow_always' }]]);
});

it('takes several answers where a question allows them, in the order they were offered', async () => {
	const answers: string[] = [];
	const { host, push } = show({ answer: (text) => answers.push(text) });
	const question = 'Which of these?';
	push({ type: 'question', callId: 'q', question, options: ['tests', 'docs', 'types'], multiple: true });
	const boxesOf = () => [...host.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
	await until(() => boxesOf().length === 3);
	const boxes = boxesOf();
	expect((named(host, 'Choose at least one') as HTMLButtonElement).disabled).toBe(true);
	for (const index of [2, 1, 0, 1]) {
		boxes[index]?.click();
		flushSync();
	}
	expect(answers).toEqual([]);
	named(host, 'Answer with 2').click();
	expect(answers).toEqual(['tests\ntypes']);
	push({
		type: 'tool_call_end',
		callId: 'q',
		toolName: 'ask_user',
		output: 'tests',
		isError: false,
		durationMs: 5
	} as Body);
	await until(() => host.querySelector('input[type=checkbox]') === null);
});
