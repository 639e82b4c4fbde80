import * as z from 'zod/mini';
import type { TestProbe, TestStep } from '#environment/preview-testing.ts';

/** Maximum characters of a driver's answer: enough for any snapshot and a picture of a long page. */
export const MAX_ANSWER_CHARACTERS = 40_000_000;

/**
 * Messages from the driver in a document: they come from an untrusted page, so they are parsed, and the content of
 * `json` is parsed again.
 */
export const FromDriver = z.union([
	z.object({ loaded: z.boolean() }),
	z.object({ id: z.int(), ok: z.boolean(), json: z.string().check(z.maxLength(MAX_ANSWER_CHARACTERS)) })
]);

/** Requests from the page to a driver. */
export type DriverRequest =
	| { method: 'settle'; quietMs: number; withinMs: number }
	| { method: 'snapshot'; selector: string | null }
	| { method: 'step'; step: TestStep; withinMs: number }
	| { method: 'probe'; probe: TestProbe }
	| { method: 'picture'; selector: string | null; isFull: boolean }
	| { method: 'evaluate'; script: string };

const short = (length: number) =>
	z.pipe(
		z.string(),
		z.transform((text) => text.slice(0, length))
	);

/** Answers by method. */
export const Answers = {
	settle: z.object({
		title: short(300),
		address: short(2000),
		isLoaded: z.boolean(),
		width: z.number(),
		height: z.number()
	}),
	snapshot: z.object({ tree: short(400_000) }),
	step: z.object({ done: z.literal(true) }),
	probe: z.object({
		count: z.int().check(z.gte(0)),
		element: short(1_000),
		error: z.optional(short(4_000)),
		isMatch: z.optional(z.boolean()),
		value: z.optional(short(1_000_000))
	}),
	picture: z.object({
		png: z.string().check(z.regex(/^data:image\/png;base64,[\w+/]+={0,2}$/)),
		notes: z.array(short(200)).check(z.maxLength(10))
	}),
	evaluate: z.object({ value: short(100_000) })
} satisfies Record<DriverRequest['method'], z.ZodMiniType>;

export type AnswerTo<Method extends DriverRequest['method']> = z.infer<(typeof Answers)[Method]>;

/** An error of the document, for a model. */
export const Failure = z.object({ message: short(4000) });
