import type { DiagnosticsService, FileChange, FileEdit, NewProblems } from '../contract.ts';
import { ChangedFiles } from './changed-files.ts';
import { CheckerClient } from './checker-client.ts';
import { jsonProblems } from './json.ts';
import type { StartLineProcess } from './line-process.ts';
import type { TextEdit } from './messages.ts';
import { isPython } from './python.ts';
import { isScript } from './typescript/compiler.ts';

/** Larger files are generated, or at least not edited by hand. */
const LARGEST_FILE = 1_000_000;
const MOST_EDITS = 50;

export interface DiagnosticsOptions {
	typeScript: StartLineProcess;
	python: StartLineProcess;
	/** Returns true if Python has already been used: it is not loaded only for checks. */
	isPythonWarm(): boolean;
	/** The environment's write journal. */
	onChange(listener: (change: FileChange) => void): () => void;
}

/** Checks TypeScript and JavaScript with the language service, Python by compiling it, JSON by parsing it. */
export class ProjectDiagnostics implements DiagnosticsService {
	readonly #typeScript: CheckerClient;
	readonly #python: CheckerClient;
	/** Files written since the last question to the language service. */
	#changed = new ChangedFiles();
	#unsubscribe: (() => void) | null = null;
	readonly #reported = new Set<string>();

	constructor(private readonly options: DiagnosticsOptions) {
		// A new process reads all files when it starts.
		this.#typeScript = new CheckerClient(options.typeScript, () => (this.#changed = new ChangedFiles()));
		this.#python = new CheckerClient(options.python);
	}

	prepare(paths: readonly string[]): void {
		const scripts = paths.filter(isScript);
		if (scripts.length === 0 || this.#typeScript.pending > 0) return;
		void this.#askTypeScript({ type: 'prepare', paths: scripts }, 0);
	}

	async newProblems(changes: readonly FileEdit[], { withinMs }: { withinMs: number }): Promise<NewProblems> {
		const edits = changes.slice(0, MOST_EDITS).flatMap((change) => toText(change) ?? []);
		const json = edits.flatMap(jsonProblems);
		const [scripts, python] = await Promise.all([this.#scripts(edits, withinMs), this.#compile(edits, withinMs)]);
		const edited = new Set(edits.map(({ path }) => path));
		const problems = [...json, ...python, ...scripts.problems];
		const result: NewProblems = {
			problems: [
				...problems.filter(({ path }) => edited.has(path)),
				...problems.filter(({ path }) => !edited.has(path))
			]
		};
		const { notice } = scripts;
		if (notice === undefined || this.#reported.has(notice)) return result;
		this.#reported.add(notice);
		return { ...result, notice };
	}

	/** Ends its processes. */
	close(): void {
		this.#unsubscribe?.();
		this.#typeScript.close();
		this.#python.close();
	}

	async #scripts(edits: TextEdit[], withinMs: number): Promise<{ problems: NewProblems['problems']; notice?: string }> {
		const own = edits.filter(({ path }) => isScript(path));
		// A project is still loading: waiting is useless, and the journal has the change.
		if (own.length === 0 || this.#typeScript.pending > 1) return { problems: [] };
		const reply = await this.#askTypeScript({ type: 'check', edits: own, withinMs: withinMs * 0.8 }, withinMs);
		const notice = reply?.notice ?? this.#typeScript.notice;
		const problems = reply?.problems ?? [];
		return notice === undefined ? { problems } : { problems, notice };
	}

	async #compile(edits: TextEdit[], withinMs: number): Promise<NewProblems['problems']> {
		const own = edits.filter(({ path }) => isPython(path));
		if (own.length === 0 || this.#python.pending > 1 || !this.options.isPythonWarm()) return [];
		const reply = await this.#python.ask({ type: 'check', edits: own, changed: [], withinMs }, withinMs);
		return reply?.problems ?? [];
	}

	async #askTypeScript(
		asked: { type: 'prepare'; paths: string[] } | { type: 'check'; edits: TextEdit[]; withinMs: number },
		withinMs: number
	): ReturnType<CheckerClient['ask']> {
		this.#unsubscribe ??= this.options.onChange((change) => {
			if (this.#typeScript.isRunning) this.#changed.note(change);
		});
		const changed = this.#changed.take();
		return this.#typeScript.ask({ ...asked, changed }, withinMs);
	}
}

/** `null` if a text is too large or not text. */
function toText({ path, before, after }: FileEdit): TextEdit | null {
	try {
		return { path, before: textOf(before), after: textOf(after) };
	} catch {
		return null;
	}
}

/** @throws TypeError if it is not UTF-8 */
function textOf(bytes: Uint8Array | null): string | null {
	if (bytes === null) return null;
	if (bytes.length > LARGEST_FILE) throw new TypeError('too large');
	return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
