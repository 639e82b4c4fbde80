import { z } from 'zod';
import type { ExecutionEnvironment, FileEdit, Problem } from '#environment/contract.ts';
import type { EventBody } from '../events.ts';
import type { ChangedFile } from '../file-changes.ts';
import { redactSecrets } from '../guards/redaction.ts';
import type { ToolResult } from '../tool.ts';
import { absolutePath, displayPath } from '../tools/paths.ts';
import { diagnosticsBlock } from './block.ts';

/** Time to wait for diagnostics; later ones are ignored. */
const WITHIN_MS = 1_000;
/** A call that changes more (a move of a directory, a script) is not checked. */
const MAX_FILES = 30;
/** Limit for one file in the event. */
const MAX_ITEMS = 50;
const LOOKED_AT = /\.(?:[cm]?[jt]s|[jt]sx|json|pyi?)$/;

const withPath = z.object({ path: z.string() });

/**
 * Reports to the model and the page which problems a call's writes introduced. The environment provides the
 * diagnostics, if it supports them.
 */
export class WriteDiagnostics {
	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly readBlob: (blob: string) => Promise<Uint8Array>,
		private readonly emit: (body: EventBody) => void
	) {}

	/** Prepares diagnostics for a file that was read, since it may be changed next. */
	prepare({ details, isError }: ToolResult): void {
		const read = withPath.safeParse(details);
		if (!isError && read.success)
			this.environment.diagnostics?.prepare([absolutePath(this.environment, read.data.path)]);
	}

	/** Adds newly introduced problems to the result. Never rejects: without diagnostics the result is unchanged. */
	async append(result: ToolResult, changed: readonly ChangedFile[]): Promise<ToolResult> {
		const { environment } = this;
		const service = environment.diagnostics;
		const files = changed.filter(({ path }) => LOOKED_AT.test(path));
		if (!service || files.length === 0 || files.length > MAX_FILES) return result;
		try {
			const edits = await Promise.all(files.map((file) => this.#edit(file)));
			const { problems, notice } = await service.newProblems(edits, { withinMs: WITHIN_MS });
			if (notice !== undefined) this.emit({ type: 'warning', code: 'diagnostics_off', message: notice });
			if (problems.length === 0) return result;
			const shown = problems.map((problem) => ({
				...problem,
				message: redactSecrets(problem.message),
				shownPath: displayPath(environment, problem.path)
			}));
			this.#tell(shown);
			return { ...result, note: diagnosticsBlock(shown) };
		} catch {
			// The blob no longer exists: the write succeeded, but cannot be checked.
			return result;
		}
	}

	async #edit({ path, before, after }: ChangedFile): Promise<FileEdit> {
		const bytes = (blob: string | null): Promise<Uint8Array> | null => (blob === null ? null : this.readBlob(blob));
		const [was, is] = await Promise.all([bytes(before), bytes(after)]);
		return { path: absolutePath(this.environment, path), before: was, after: is };
	}

	#tell(problems: readonly (Problem & { shownPath: string })[]): void {
		for (const path of new Set(problems.map(({ shownPath }) => shownPath))) {
			const own = problems.filter(({ shownPath }) => shownPath === path).slice(0, MAX_ITEMS);
			const items = own.map(({ line, column, severity, code, message }) => ({
				line,
				column,
				severity,
				...(code === undefined ? {} : { code }),
				message
			}));
			this.emit({ type: 'diagnostics', path, items });
		}
	}
}
