import { z } from 'zod';
import type { LanguageQuestion } from './language-messages.ts';

/**
 * Between a {@link import('../contract.ts').DiagnosticsService} and the worker or process that does the looking: one
 * JSON text a line, each way. What checks may run a project's own compiler, so its words are parsed.
 */
export type CheckerRequest =
	/** Answered with no problems once the files' project is loaded. */
	| { id: number; type: 'prepare'; paths: string[]; changed: string[] | null }
	| { id: number; type: 'check'; edits: TextEdit[]; changed: string[] | null; withinMs: number }
	/** Answered with no problems but an `answer`. */
	| { id: number; type: 'language'; question: LanguageQuestion; changed: string[] | null };

/**
 * `changed`: other files written since the last request; `null`: too many or too deep, so everything is read
 * again.
 */
export interface TextEdit {
	path: string;
	/** `null` where there was or is no file. */
	before: string | null;
	after: string | null;
}

const problem = z.object({
	path: z.string().max(4_096),
	line: z.int().min(1),
	column: z.int().min(1),
	severity: z.enum(['error', 'warning']),
	code: z.string().max(20).optional(),
	message: z.string().max(4_000)
});

const reply = z.object({
	id: z.int(),
	problems: z.array(problem).max(500),
	notice: z.string().max(500).optional(),
	/** Parsed by the kind of its question. */
	answer: z.unknown().optional()
});

export type CheckerProblem = z.infer<typeof problem>;
export type CheckerReply = z.infer<typeof reply>;

/** A line of a checker; `null` when it is none of its answers. */
export function parseReply(line: string): CheckerReply | null {
	try {
		const parsed = reply.safeParse(JSON.parse(line));
		return parsed.success ? parsed.data : null;
	} catch {
		return null;
	}
}
