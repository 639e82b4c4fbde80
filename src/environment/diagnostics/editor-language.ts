import type { FileChange } from '../contract.ts';
import type {
	CodeCompletion,
	CodeCompletionDetails,
	CodeEdit,
	CodeFileEdits,
	CodeHover,
	CodeLocation,
	CodePlace,
	CodeProblem,
	CodeRenameInfo,
	CodeSymbol,
	CodeText,
	LanguageService
} from '../language.ts';
import { ChangedFiles } from './changed-files.ts';
import { CheckerClient } from './checker-client.ts';
import { answers, type LanguageAnswer, type LanguageQuestion } from './language-messages.ts';
import type { StartLineProcess } from './line-process.ts';
import { isScript } from './typescript/compiler.ts';

/**
 * Time limit in milliseconds: the first question loads the compiler and the project, which takes long on a busy
 * machine.
 */
const PATIENCE_MS = 120_000;

interface EditorLanguageOptions {
	typeScript: StartLineProcess;
	/** The environment's write journal. */
	onChange(listener: (change: FileChange) => void): () => void;
}

/**
 * Answers an editor's questions with TypeScript's language service, in a different process from the one that checks the
 * agent's changes: that one compares states on disk, this one has unsaved text.
 */
export class EditorLanguage implements LanguageService {
	readonly #client: CheckerClient;
	#changed = new ChangedFiles();
	#unsubscribe: (() => void) | null = null;

	constructor(private readonly options: EditorLanguageOptions) {
		// A new process reads all files when it starts.
		this.#client = new CheckerClient(options.typeScript, () => (this.#changed = new ChangedFiles()));
	}

	knows(path: string): boolean {
		return isScript(path);
	}

	async completions(at: CodePlace): Promise<CodeCompletion[]> {
		return (await this.#ask({ kind: 'completions', ...at })) ?? [];
	}

	completionDetails(at: CodePlace, { label, source, data }: CodeCompletion): Promise<CodeCompletionDetails | null> {
		const key = { ...(source === undefined ? {} : { source }), ...(data === undefined ? {} : { data }) };
		return this.#ask({ kind: 'details', ...at, name: label, ...key });
	}

	hover(at: CodePlace): Promise<CodeHover | null> {
		return this.#ask({ kind: 'hover', ...at });
	}

	async definition(at: CodePlace): Promise<CodeLocation[] | null> {
		return this.#ask({ kind: 'definition', ...at });
	}

	renameInfo(at: CodePlace): Promise<CodeRenameInfo | null> {
		return this.#ask({ kind: 'renameInfo', ...at });
	}

	async rename(at: CodePlace, to: string): Promise<CodeFileEdits[]> {
		return (await this.#ask({ kind: 'rename', ...at, to })) ?? [];
	}

	async format(file: CodeText, indent: number | 'tab'): Promise<CodeEdit[]> {
		return (await this.#ask({ kind: 'format', ...file, indent })) ?? [];
	}

	problems(file: CodeText): Promise<CodeProblem[] | null> {
		return this.#ask({ kind: 'problems', ...file });
	}

	savedProblems(path: string): Promise<CodeProblem[] | null> {
		return this.#ask({ kind: 'problems', path, text: null });
	}

	async sources(path: string): Promise<string[]> {
		return (await this.#ask({ kind: 'sources', path })) ?? [];
	}

	async symbols(path: string, query: string): Promise<CodeSymbol[]> {
		return (await this.#ask({ kind: 'symbols', path, query })) ?? [];
	}

	/** Ends its process. */
	close(): void {
		this.#unsubscribe?.();
		this.#client.close();
	}

	async #ask<Kind extends LanguageQuestion['kind']>(
		question: Extract<LanguageQuestion, { kind: Kind }> & { kind: Kind }
	): Promise<LanguageAnswer<Kind> | null> {
		if (!isScript(question.path)) return null;
		this.#unsubscribe ??= this.options.onChange((change) => {
			if (this.#client.isRunning) this.#changed.note(change);
		});
		const changed = this.#changed.take();
		const reply = await this.#client.ask({ type: 'language', question, changed }, PATIENCE_MS);
		const parsed = answers[question.kind].safeParse(reply?.answer);
		return parsed.success ? (parsed.data as LanguageAnswer<Kind>) : null;
	}
}
