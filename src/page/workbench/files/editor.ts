import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
	bracketMatching,
	foldGutter,
	HighlightStyle,
	indentOnInput,
	indentUnit,
	syntaxHighlighting,
	type LanguageSupport
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, StateEffect, type Extension } from '@codemirror/state';
import {
	drawSelection,
	EditorView,
	highlightActiveLine,
	highlightActiveLineGutter,
	keymap,
	lineNumbers
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

export interface Editor {
	/** Current text with its original line endings. */
	text(): string;
	replace(text: string): void;
	setReadOnly(readOnly: boolean): void;
	readonly view: EditorView;
	/** Width of an indentation in spaces, or `tab`. */
	readonly indent: number | 'tab';
	/** Adds an extension to the editor. */
	extend(extension: Extension): void;
	/**
	 * Selects a place, scrolls to it and takes the focus.
	 * @param line 1-based; absent: only takes the focus
	 * @param column 1-based
	 */
	goTo(line?: number, column?: number, length?: number): void;
	destroy(): void;
}

interface EditorOptions {
	text: string;
	path: string;
	label: string;
	readOnly: boolean;
	onChange(): void;
	onSave(): void;
}

/** Keyed by file extension; each language is loaded with its first file. */
const LANGUAGES: Record<string, () => Promise<LanguageSupport>> = {
	...each(['js', 'mjs', 'cjs', 'jsx'], () =>
		import('@codemirror/lang-javascript').then((m) => m.javascript({ jsx: true }))
	),
	...each(['ts', 'mts', 'cts'], () =>
		import('@codemirror/lang-javascript').then((m) => m.javascript({ typescript: true }))
	),
	...each(['tsx'], () =>
		import('@codemirror/lang-javascript').then((m) => m.javascript({ jsx: true, typescript: true }))
	),
	...each(['json', 'jsonc', 'webmanifest'], () => import('@codemirror/lang-json').then((m) => m.json())),
	...each(['html', 'htm', 'svelte', 'vue'], () => import('@codemirror/lang-html').then((m) => m.html())),
	...each(['css', 'scss'], () => import('@codemirror/lang-css').then((m) => m.css())),
	...each(['md', 'markdown'], () => import('@codemirror/lang-markdown').then((m) => m.markdown())),
	...each(['py'], () => import('@codemirror/lang-python').then((m) => m.python()))
};

function each<T>(names: string[], load: T): Record<string, T> {
	return Object.fromEntries(names.map((name) => [name, load]));
}

const colours = HighlightStyle.define([
	{ tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--syntax-keyword)' },
	{ tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--syntax-string)' },
	{ tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--syntax-number)' },
	{ tag: [tags.comment, tags.meta], color: 'var(--faint)', fontStyle: 'italic' },
	{ tag: [tags.typeName, tags.className, tags.tagName], color: 'var(--syntax-type)' },
	{ tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--syntax-function)' },
	{ tag: [tags.heading, tags.strong], fontWeight: '650' },
	{ tag: tags.emphasis, fontStyle: 'italic' },
	{ tag: [tags.link, tags.url], color: 'var(--accent)' }
]);

const look = EditorView.theme({
	'&': { height: '100%', fontSize: '12.5px', backgroundColor: 'var(--panel)' },
	'&.cm-focused': { outline: 'none' },
	'.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.62' },
	'.cm-content': { padding: '8px 0', caretColor: 'var(--accent)' },
	'.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--faint)', border: '0', paddingLeft: '6px' },
	'.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--hover) 55%, transparent)' },
	'.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
	'&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--selection) !important' },
	'.cm-matchingBracket': { backgroundColor: 'var(--accent-soft) !important' },
	'.cm-panels': { backgroundColor: 'var(--sunk)', color: 'var(--ink)', borderColor: 'var(--line)' },
	'.cm-foldGutter .cm-gutterElement': { color: 'var(--faint)' }
});

/**
 * Creates an editor in `parent`. Loaded when a file is first opened. @public By a dynamic import of a
 * component.
 */
export async function createEditor(parent: HTMLElement, options: EditorOptions): Promise<Editor> {
	const language = LANGUAGES[options.path.slice(options.path.lastIndexOf('.') + 1).toLowerCase()];
	const readOnly = new Compartment();
	const crlf = options.text.includes('\r\n');
	const tabs = !/^ {2,}\S/m.test(options.text);
	const view = new EditorView({
		parent,
		state: EditorState.create({
			doc: options.text,
			extensions: [
				lineNumbers(),
				foldGutter(),
				history(),
				drawSelection(),
				indentOnInput(),
				bracketMatching(),
				highlightActiveLine(),
				highlightActiveLineGutter(),
				highlightSelectionMatches(),
				search({ top: true }),
				EditorState.lineSeparator.of(crlf ? '\r\n' : '\n'),
				EditorState.tabSize.of(4),
				indentUnit.of(tabs ? '\t' : ' '.repeat(spacesOf(options.text))),
				syntaxHighlighting(colours),
				look,
				EditorView.contentAttributes.of({ 'aria-label': options.label }),
				readOnly.of(EditorState.readOnly.of(options.readOnly)),
				keymap.of([
					{ key: 'Mod-s', preventDefault: true, run: () => (options.onSave(), true) },
					...defaultKeymap,
					...historyKeymap,
					...searchKeymap,
					indentWithTab
				]),
				EditorView.updateListener.of((update) => {
					if (update.docChanged) options.onChange();
				}),
				language ? await language() : []
			]
		})
	});
	// Makes it scrollable by keyboard even if it is read-only.
	view.scrollDOM.tabIndex = 0;
	return {
		view,
		indent: tabs ? 'tab' : spacesOf(options.text),
		extend: (extension) => view.dispatch({ effects: StateEffect.appendConfig.of(extension) }),
		text: () => view.state.sliceDoc(),
		replace(text) {
			if (text === view.state.sliceDoc()) return;
			view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
		},
		setReadOnly(value) {
			view.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(value)) });
		},
		goTo(line, column = 1, length = 0) {
			view.focus();
			if (line === undefined) return;
			const { doc } = view.state;
			const at = doc.line(Math.min(Math.max(1, line), doc.lines));
			const anchor = Math.min(at.from + Math.max(1, column) - 1, at.to);
			const head = Math.min(anchor + length, at.to);
			view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
		},
		destroy: () => view.destroy()
	};
}

/** Smallest indentation of a text in spaces; 2 if there is none. */
function spacesOf(text: string): number {
	let least = 8;
	for (const [, spaces = ''] of text.matchAll(/^( +)\S/gm))
		if (spaces.length > 1) least = Math.min(least, spaces.length);
	return least < 8 ? least : 2;
}
