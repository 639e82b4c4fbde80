import {
	acceptCompletion,
	autocompletion,
	type Completion,
	type CompletionContext,
	type CompletionResult
} from '@codemirror/autocomplete';
import { linter, type Diagnostic } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, type Tooltip } from '@codemirror/view';
import type { CodeCompletion, CodeEdit, CodePlace, CodeProblem, LanguageService } from '#environment/language.ts';

/** Actions outside the editor that the language features need. */
interface LanguageHooks {
	/** Goes to the definition of the name at a place. */
	onDefinition(at: CodePlace): void;
	/** Asks for a new name. */
	onRename(at: CodePlace): void;
	onFormat(): void;
	/** Called with the problems of the current text. */
	onProblems(problems: readonly CodeProblem[]): void;
}

/** Time without typing after which the text is checked, in milliseconds. */
const CHECK_DELAY_MS = 500;
const HOVER_DELAY_MS = 350;
const WORD = /[\w$]*$/;

/** Text of an editor and its caret, as the language service expects it. */
export function placeIn(view: EditorView, path: string, at = view.state.selection.main.head): CodePlace {
	return { path, text: view.state.doc.toString(), at };
}

/**
 * Adds completion, hover, problems and the keys F12, F2 and Shift+Alt+F, using the language service. @public By a
 * dynamic import.
 */
export function languageExtensions(service: LanguageService, path: string, hooks: LanguageHooks): Extension {
	return [
		autocompletion({ override: [(context) => complete(service, path, context)], icons: true }),
		hoverTooltip((view, at) => hover(service, path, view, at), { hoverTime: HOVER_DELAY_MS, hideOnChange: true }),
		linter((view) => check(service, path, view, hooks), { delay: CHECK_DELAY_MS }),
		keymap.of([
			{ key: 'Tab', run: acceptCompletion },
			{ key: 'F12', run: (view) => (hooks.onDefinition(placeIn(view, path)), true) },
			{ key: 'F2', run: (view) => (hooks.onRename(placeIn(view, path)), true) },
			{ key: 'Shift-Alt-f', run: () => (hooks.onFormat(), true) }
		]),
		EditorView.domEventHandlers({
			mousedown(event, view) {
				if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
				const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
				if (at === null) return false;
				event.preventDefault();
				hooks.onDefinition(placeIn(view, path, at));
				return true;
			}
		}),
		look
	];
}

/** Applies edits of a service to the text. */
export function applyEdits(view: EditorView, edits: readonly CodeEdit[]): void {
	view.dispatch({ changes: edits.map(({ from, to, text }) => ({ from, to, insert: text })) });
}

async function complete(
	service: LanguageService,
	path: string,
	context: CompletionContext
): Promise<CompletionResult | null> {
	const before = context.matchBefore(WORD);
	const isMember = context.state.sliceDoc(context.pos - 1, context.pos) === '.';
	if (!context.explicit && !isMember && (before === null || before.from === before.to)) return null;
	const text = context.state.doc.toString();
	const found = await service.completions({ path, text, at: context.pos });
	// Not null: otherwise later input and requests would wait for ever. CodeMirror queries an empty result again.
	if (found.length === 0) return { from: context.pos, options: [] };
	return {
		from: before?.from ?? context.pos,
		options: found.map((completion, rank) => toOption(service, path, completion, rank)),
		validFor: WORD
	};
}

function toOption(service: LanguageService, path: string, completion: CodeCompletion, rank: number): Completion {
	const { label, kind, source, insert = label } = completion;
	return {
		label,
		type: kind,
		// The service's order decides between equally good matches.
		boost: Math.max(-99, -rank / 4),
		...(source === undefined ? {} : { detail: source.replace(/^.*\/node_modules\//, '') }),
		info: async () => null,
		apply: (view, _option, from, to) => void accept(service, path, completion, insert, view, from, to)
	};
}

/** Inserts a completion, with its import if needed. */
async function accept(
	service: LanguageService,
	path: string,
	completion: CodeCompletion,
	insert: string,
	view: EditorView,
	from: number,
	to: number
): Promise<void> {
	const { doc } = view.state;
	const details =
		completion.source === undefined ? null : await service.completionDetails(placeIn(view, path), completion);
	// Text typed meanwhile has shifted the edits' positions.
	const edits = view.state.doc.eq(doc) ? (details?.edits ?? []) : [];
	const changes = [...edits.map((edit) => ({ from: edit.from, to: edit.to, insert: edit.text })), { from, to, insert }];
	const set = view.state.changes(changes);
	view.dispatch({ changes: set, selection: { anchor: set.mapPos(to, 1) }, userEvent: 'input.complete' });
}

async function hover(service: LanguageService, path: string, view: EditorView, at: number): Promise<Tooltip | null> {
	const info = await service.hover(placeIn(view, path, at));
	if (!info || info.signature === '') return null;
	return {
		pos: info.from,
		end: info.to,
		above: true,
		create() {
			const dom = document.createElement('div');
			dom.className = 'cm-code-hover';
			const signature = dom.appendChild(document.createElement('code'));
			signature.textContent = info.signature;
			if (info.documentation !== '') dom.appendChild(document.createElement('p')).textContent = info.documentation;
			return { dom };
		}
	};
}

async function check(
	service: LanguageService,
	path: string,
	view: EditorView,
	hooks: LanguageHooks
): Promise<Diagnostic[]> {
	const problems = await service.problems({ path, text: view.state.doc.toString() });
	if (problems === null) return [];
	hooks.onProblems(problems);
	const end = view.state.doc.length;
	return problems.map(({ from, to, severity, message, code }) => ({
		from: Math.min(from, end),
		to: Math.min(Math.max(to, from), end),
		severity,
		message,
		...(code === undefined ? {} : { source: code })
	}));
}

const look = EditorView.theme({
	'.cm-tooltip': {
		backgroundColor: 'var(--panel)',
		border: '1px solid var(--line)',
		borderRadius: '8px',
		boxShadow: 'var(--shadow-high)',
		color: 'var(--ink)',
		maxWidth: 'min(560px, 90vw)'
	},
	'.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: '12px', maxHeight: '240px' },
	'.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', lineHeight: '1.5' },
	'.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--ink)' },
	'.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '650', color: 'var(--accent)' },
	'.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal' },
	'.cm-code-hover': { padding: '8px 12px', fontSize: '12px', maxHeight: '240px', overflow: 'auto' },
	'.cm-code-hover code': { whiteSpace: 'pre-wrap', fontFamily: 'var(--mono)' },
	'.cm-code-hover p': { margin: '6px 0 0', fontFamily: 'var(--sans)', color: 'var(--soft)', whiteSpace: 'pre-wrap' },
	'.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--sans)', fontSize: '12.5px' },
	'.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
	'.cm-diagnostic-warning': { borderLeftColor: 'var(--accent)' },
	'.cm-diagnosticSource': { color: 'var(--soft)', opacity: 1 },
	'.cm-lintRange-error': {
		backgroundImage: 'none',
		textDecoration: 'underline wavy var(--bad) 1px',
		textUnderlineOffset: '3px'
	},
	'.cm-lintRange-warning': {
		backgroundImage: 'none',
		textDecoration: 'underline dotted var(--accent) 1.5px',
		textUnderlineOffset: '3px'
	}
});
