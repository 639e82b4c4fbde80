import { z } from 'zod';
import type { OpaqueData } from '../../types.ts';

/** What is kept of a Gemini part to send it back as it came. `id` only where Gemini gave one. */
const geminiPartData = z.object({ id: z.string().optional(), thoughtSignature: z.string().optional() });

/** Gemini 3 refuses calls without a signature; for calls another model made this documented value takes its place. */
export const foreignCallSignature = 'skip_thought_signature_validator';

/** What was read of each, so that a long history is not parsed again with each request. */
const read = new WeakMap<OpaqueData, z.infer<typeof geminiPartData>>();

/** What was kept of a part; nothing where it is not of the expected form. Never throws. */
export function keptData(data: OpaqueData | undefined): z.infer<typeof geminiPartData> {
	if (!data) return {};
	const known = read.get(data);
	if (known) return known;
	const kept = geminiPartData.safeParse(data.item).data ?? {};
	read.set(data, kept);
	return kept;
}
