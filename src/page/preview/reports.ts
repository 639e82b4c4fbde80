import * as z from 'zod/mini';

/**
 * Reports of a displayed document: they come from untrusted code, so they are parsed, truncated and only displayed as
 * text.
 */
const Report = z.discriminatedUnion('type', [
	z.object({
		type: z.literal('console'),
		level: z.enum(['log', 'info', 'warn', 'error', 'debug']),
		text: z.string(),
		stack: z.string()
	}),
	z.object({ type: z.literal('error'), text: z.string(), stack: z.string() }),
	z.object({ type: z.literal('blocked'), address: z.string(), directive: z.string() }),
	z.object({ type: z.literal('link'), href: z.string() }),
	z.object({ type: z.literal('form'), action: z.string() }),
	z.object({ type: z.literal('scroll'), x: z.number(), y: z.number() }),
	z.object({ type: z.literal('loaded'), title: z.string(), address: z.string(), isBlank: z.boolean() }),
	z.object({ type: z.literal('here') })
]);
/** `left`: the frame shows something that does not respond. */
export type Report = z.infer<typeof Report> | { type: 'left' };

const Envelope = z.object({ sandglassPreview: Report });

const DriverOffer = z.object({ sandglassDriver: z.string().check(z.maxLength(100)) });

/**
 * Key with which a document offers a port to its driver (`driver/boot.ts`); `null` if the message is not such an offer.
 */
export function parseDriverOffer(data: unknown): string | null {
	const parsed = z.safeParse(DriverOffer, data);
	return parsed.success ? parsed.data.sandglassDriver : null;
}

/** Parses a report; `null` if the message is not one. */
export function parseReport(data: unknown): Report | null {
	const parsed = z.safeParse(Envelope, data);
	return parsed.success ? parsed.data.sandglassPreview : null;
}
