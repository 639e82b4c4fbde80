import { startCompletion } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';
import { afterEach, expect, it } from 'vitest';
import type { CodeCompletion, CodePlace, LanguageService } from '#environment/language.ts';
import { languageExtensions } from '#page/workbench/files/language/extensions.ts';

const PATH = '/workspace/a.ts';
const ADD: CodeCompletion = { label: 'add', kind: 'function', sort: '1' };
let view: EditorView | undefined;
afterEach(() => view?.destroy());

/** Opens an editor whose completions the test answers, in the order of the requests. */
function open(): { editor: EditorView; questions: { at: CodePlace; answer(found: CodeCompletion[]): void }[] } {
	const questions: { at: CodePlace; answer(found: CodeCompletion[]): void }[] = [];
	const service = {
		completions: (at: CodePlace) =>
			new Promise<CodeCompletion[]>((resolve) => void questions.push({ at, answer: resolve })),
		problems: async () => null
	} as unknown as LanguageService;
	const hooks = { onDefinition() {}, onRename() {}, onFormat() {}, onProblems() {} };
	const editor = new EditorView({ parent: document.body, extensions: languageExtensions(service, PATH, hooks) });
	view = editor;
	return { editor, questions };
}

/** Types like a user: that sends further requests. */
const type = (editor: EditorView, text: string): void =>
	editor.dispatch({
		changes: { from: editor.state.doc.length, insert: text },
		selection: { anchor: editor.state.doc.length + text.length },
		userEvent: 'input.type'
	});

it('asks again for what was typed while a question without an answer was under way', async () => {
	const { editor, questions } = open();
	editor.focus();
	type(editor, 'const x');
	await expect.poll(() => questions.length).toBe(1);
	type(editor, ' = ad');
	startCompletion(editor);
	// A new name has no completions.
	questions[0]?.answer([]);
	await expect.poll(() => questions.at(1)?.at.text).toBe('const x = ad');
	questions[1]?.answer([ADD]);
	await expect.poll(() => document.querySelector('.cm-tooltip-autocomplete [role=option]')?.textContent).toBe('add');
});

it('shows nothing where nothing is found, and asks again as typing goes on', async () => {
	const { editor, questions } = open();
	editor.focus();
	type(editor, 'x');
	await expect.poll(() => questions.length).toBe(1);
	questions[0]?.answer([]);
	type(editor, 'y');
	await expect.poll(() => questions.at(1)?.at.text).toBe('xy');
	expect(document.querySelector('.cm-tooltip-autocomplete')).toBeNull();
});
