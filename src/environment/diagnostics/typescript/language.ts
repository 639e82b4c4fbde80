import type ts from 'typescript';
import type { CodeKind } from '../../language.ts';
import type { LanguageAnswer, LanguageQuestion } from '../language-messages.ts';
import { isScript, type CompilerHost } from './compiler.ts';
import { toProblem } from './problems.ts';
import type { Project } from './project.ts';

const MOST_COMPLETIONS = 300;
const MOST_SYMBOLS = 40;
const MOST_CHARACTERS = 4_000;

const KINDS = new Map<string, CodeKind>([
	['keyword', 'keyword'],
	['module', 'namespace'],
	['external module name', 'namespace'],
	['class', 'class'],
	['local class', 'class'],
	['interface', 'interface'],
	['type', 'type'],
	['type parameter', 'type'],
	['enum', 'enum'],
	['enum member', 'constant'],
	['var', 'variable'],
	['let', 'variable'],
	['const', 'constant'],
	['local var', 'variable'],
	['parameter', 'variable'],
	['alias', 'variable'],
	['function', 'function'],
	['local function', 'function'],
	['method', 'method'],
	['getter', 'property'],
	['setter', 'property'],
	['property', 'property'],
	['constructor', 'method']
]);

type QuestionOf<Kind extends LanguageQuestion['kind']> = Extract<LanguageQuestion, { kind: Kind }>;

/** Answers an editor's questions with one project's language service. */
export class LanguageAnswers {
	readonly #service: ts.LanguageService;

	constructor(
		private readonly host: CompilerHost,
		private readonly project: Project
	) {
		this.#service = project.service;
	}

	/** @throws whatever the compiler throws */
	answer(question: LanguageQuestion): unknown {
		switch (question.kind) {
			case 'completions':
				return this.#completions(question);
			case 'details':
				return this.#details(question);
			case 'hover':
				return this.#hover(question);
			case 'definition':
				return this.#definition(question);
			case 'renameInfo':
				return this.#renameInfo(question);
			case 'rename':
				return this.#rename(question);
			case 'format':
				return this.#format(question);
			case 'problems':
				return this.#problems(question.path);
			case 'sources':
				return this.project.sources().filter((path) => path.startsWith(`${this.host.root}/`));
			case 'symbols':
				return this.#symbols(question.query);
		}
	}

	#completions({ path, text, at }: QuestionOf<'completions'>): LanguageAnswer<'completions'> {
		const found = this.#service.getCompletionsAtPosition(path, at, PREFERENCES);
		const typed = /[\w$]*$/.exec(text.slice(0, at))?.[0].toLowerCase() ?? '';
		return (found?.entries ?? [])
			.filter(({ name, kind }) => kind !== 'warning' && hasLettersInOrder(name.toLowerCase(), typed))
			.sort((a, b) => compare(a.sortText, b.sortText) || compare(a.name, b.name))
			.slice(0, MOST_COMPLETIONS)
			.map(({ name, kind, insertText, source, sortText, data }) => ({
				label: name,
				kind: kindOf(kind),
				sort: sortText,
				...(insertText === undefined || insertText === name ? {} : { insert: insertText }),
				...(source === undefined ? {} : { source }),
				...(data === undefined ? {} : { data: JSON.stringify(data) })
			}));
	}

	#details({ path, at, name, source, data }: QuestionOf<'details'>): LanguageAnswer<'details'> {
		// The key comes from an earlier answer of this service.
		const key: ts.CompletionEntryData | undefined = data === undefined ? undefined : JSON.parse(data);
		const format = this.#formatSettings('tab');
		const found = this.#service.getCompletionEntryDetails(path, at, name, format, source, PREFERENCES, key);
		if (!found) return null;
		const changes = (found.codeActions ?? []).flatMap((action) => action.changes);
		return {
			signature: this.#words(found.displayParts),
			documentation: this.#words(found.documentation),
			edits: changes.filter(({ fileName }) => fileName === path).flatMap(({ textChanges }) => textChanges.map(toEdit))
		};
	}

	#hover({ path, at }: QuestionOf<'hover'>): LanguageAnswer<'hover'> {
		const info = this.#service.getQuickInfoAtPosition(path, at);
		if (!info) return null;
		const tags = (info.tags ?? []).map(({ name, text }) => `@${name} ${this.#words(text)}`.trim());
		return {
			from: info.textSpan.start,
			to: info.textSpan.start + info.textSpan.length,
			signature: this.#words(info.displayParts),
			documentation: [this.#words(info.documentation), ...tags].filter(Boolean).join('\n').slice(0, MOST_CHARACTERS)
		};
	}

	#definition({ path, at }: QuestionOf<'definition'>): LanguageAnswer<'definition'> {
		const found = this.#service.getDefinitionAtPosition(path, at) ?? [];
		const inside = found.filter(({ fileName }) => fileName.startsWith(`${this.host.root}/`));
		if (found.length > 0 && inside.length === 0) return null;
		return inside.map(({ fileName, textSpan }) => this.#location(fileName, textSpan.start));
	}

	#renameInfo({ path, at }: QuestionOf<'renameInfo'>): LanguageAnswer<'renameInfo'> {
		const info = this.#service.getRenameInfo(path, at, {});
		if (!info.canRename) return { reason: info.localizedErrorMessage };
		const { start, length } = info.triggerSpan;
		return { name: info.displayName, from: start, to: start + length };
	}

	#rename({ path, at, to }: QuestionOf<'rename'>): LanguageAnswer<'rename'> {
		const byFile = new Map<string, LanguageAnswer<'rename'>[number]['edits']>();
		for (const place of this.#service.findRenameLocations(path, at, false, false, PREFERENCES) ?? []) {
			const { fileName, textSpan } = place;
			const edit = toEdit({ span: textSpan, newText: to });
			const old = (this.project.files.get(fileName).text ?? '').slice(edit.from, edit.to);
			byFile.set(fileName, [...(byFile.get(fileName) ?? []), { ...edit, old }]);
		}
		return [...byFile].map(([file, edits]) => ({ path: file, edits: edits.sort((a, b) => a.from - b.from) }));
	}

	#format({ path, indent }: QuestionOf<'format'>): LanguageAnswer<'format'> {
		return this.#service.getFormattingEditsForDocument(path, this.#formatSettings(indent)).map(toEdit);
	}

	#problems(path: string): LanguageAnswer<'problems'> {
		if (!this.project.includes(path)) return [];
		const syntax = this.#service.getSyntacticDiagnostics(path);
		const found = syntax.length > 0 ? syntax : this.#service.getSemanticDiagnostics(path);
		const unused = syntax.length > 0 ? [] : this.#service.getSuggestionDiagnostics(path);
		const { compiler } = this.host;
		return [
			...found.flatMap((diagnostic) => this.#problem(path, diagnostic) ?? []),
			...unused
				.filter(({ reportsUnnecessary }) => reportsUnnecessary)
				.flatMap((one) => this.#problem(path, { ...one, category: compiler.DiagnosticCategory.Error }, 'warning') ?? [])
		].slice(0, 500);
	}

	#problem(path: string, diagnostic: ts.Diagnostic, severity?: 'warning'): LanguageAnswer<'problems'>[number] | null {
		const problem = toProblem(this.host.compiler, path, diagnostic, this.project.hasPackages);
		if (!problem) return null;
		const from = diagnostic.start ?? 0;
		return { ...problem, ...(severity && { severity }), from, to: from + (diagnostic.length ?? 0) };
	}

	#symbols(query: string): LanguageAnswer<'symbols'> {
		const found = this.#service.getNavigateToItems(query, MOST_SYMBOLS, undefined, true);
		return found
			.filter(({ fileName }) => isScript(fileName) && fileName.startsWith(`${this.host.root}/`))
			.map(({ name, kind, fileName, textSpan }) => ({
				name,
				kind: kindOf(kind),
				...this.#location(fileName, textSpan.start)
			}));
	}

	#location(path: string, at: number): { path: string; line: number; column: number } {
		const before = (this.project.files.get(path).text ?? '').slice(0, at).split('\n');
		return { path, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
	}

	#formatSettings(indent: number | 'tab'): ts.FormatCodeSettings {
		const size = indent === 'tab' ? 4 : indent;
		return {
			...this.host.compiler.getDefaultFormatCodeSettings('\n'),
			indentSize: size,
			tabSize: size,
			convertTabsToSpaces: indent !== 'tab'
		};
	}

	#words(parts: ts.SymbolDisplayPart[] | undefined): string {
		return this.host.compiler.displayPartsToString(parts).slice(0, MOST_CHARACTERS);
	}
}

const PREFERENCES: ts.UserPreferences = {
	includeCompletionsForModuleExports: true,
	includeCompletionsWithInsertText: true,
	includeCompletionsForImportStatements: true
};

const kindOf = (kind: string): CodeKind => KINDS.get(kind) ?? 'text';
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const toEdit = ({ span, newText }: ts.TextChange): { from: number; to: number; text: string } => ({
	from: span.start,
	to: span.start + span.length,
	text: newText
});

function hasLettersInOrder(name: string, letters: string): boolean {
	let at = 0;
	for (const letter of letters) {
		at = name.indexOf(letter, at) + 1;
		if (at === 0) return false;
	}
	return true;
}
