import * as z from 'zod/mini';
import type { TestRequest } from '#environment/preview-testing.ts';

/** Requests of programs that test a page: they come from the project's code, so nothing else is accepted. */

const MAX_SELECTOR = 5_000;
const MAX_TEXT = 1_000_000;
const MAX_FILE = 15_000_000;
/** Maximum milliseconds that a test may wait for one thing. */
const MAX_WAIT_MS = 600_000;

const text = z.string().check(z.maxLength(MAX_TEXT));
const selector = z.string().check(z.maxLength(MAX_SELECTOR));
const withinMs = z.number().check(z.gte(0), z.lte(MAX_WAIT_MS));
const pixels = z.int().check(z.gte(1), z.lte(10_000));
const size = z.object({ width: pixels, height: pixels });

const expectedText = z.object({
	string: z.optional(text),
	regexSource: z.optional(text),
	regexFlags: z.optional(z.string().check(z.regex(/^[a-z]{0,10}$/))),
	matchSubstring: z.optional(z.boolean()),
	ignoreCase: z.optional(z.boolean()),
	normalizeWhiteSpace: z.optional(z.boolean())
});

const check = z.object({
	expression: z.string().check(z.regex(/^to\.[a-z.]{1,50}$/)),
	isNot: z.boolean(),
	expectedText: z.optional(z.array(expectedText)),
	expectedNumber: z.optional(z.number()),
	expectedValue: z.optional(text),
	expressionArg: z.optional(text),
	useInnerText: z.optional(z.boolean())
});

const probe = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('expect'), selector: z.nullable(selector), check }),
	z.object({
		kind: z.literal('state'),
		selector,
		state: z.enum(['visible', 'hidden', 'enabled', 'disabled', 'editable', 'checked'])
	}),
	z.object({
		kind: z.literal('evaluate'),
		source: text,
		argument: text,
		selector: z.nullable(selector),
		on: z.enum(['page', 'first', 'all'])
	})
]);

const file = z.object({ name: text, type: text, content: z.string().check(z.maxLength(MAX_FILE)) });
const coordinate = z.number();

const step = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('click'),
		on: selector,
		button: z.optional(z.enum(['left', 'right', 'middle'])),
		count: z.optional(z.int().check(z.gte(1), z.lte(3)))
	}),
	z.object({ kind: z.literal('fill'), on: selector, text }),
	z.object({ kind: z.literal('type'), on: z.optional(selector), text }),
	z.object({ kind: z.literal('press'), on: z.optional(selector), key: text }),
	z.object({ kind: z.literal('select'), on: selector, values: z.array(text) }),
	z.object({ kind: z.enum(['check', 'uncheck', 'hover', 'focus']), on: selector }),
	z.object({ kind: z.literal('drag'), on: selector, to: selector }),
	z.object({ kind: z.literal('scroll'), on: z.optional(selector), x: coordinate, y: coordinate }),
	z.object({
		kind: z.literal('answer'),
		answers: z.array(z.object({ accept: z.boolean(), text: z.optional(text) })).check(z.maxLength(10))
	}),
	z.object({ kind: z.literal('upload'), on: selector, files: z.array(file).check(z.maxLength(20)) })
]);

const request = z.discriminatedUnion('do', [
	z.object({ do: z.literal('begin'), context: z.string().check(z.regex(/^[\w-]{1,100}$/)), size: z.nullable(size) }),
	z.object({ do: z.literal('go'), port: z.int().check(z.gte(1), z.lte(65_535)), url: text, withinMs }),
	z.object({ do: z.literal('reload'), withinMs }),
	z.object({ do: z.literal('settle'), withinMs }),
	z.object({ do: z.literal('probe'), probe, withinMs }),
	z.object({ do: z.literal('step'), step, withinMs }),
	z.object({ do: z.literal('picture'), selector: z.nullable(selector), isFull: z.boolean() }),
	z.object({ do: z.literal('resize'), size }),
	z.object({ do: z.literal('logs'), since: z.int() }),
	z.object({ do: z.literal('end') })
]);

/** Parses a program's request; `null` if it is invalid. */
export function parseTestRequest(json: string): TestRequest | null {
	try {
		const parsed = z.safeParse(request, JSON.parse(json));
		return parsed.success ? parsed.data : null;
	} catch {
		return null;
	}
}
