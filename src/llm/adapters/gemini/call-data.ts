import { z } from 'zod';
import type { OpaqueData } from '../../types.ts';

/** Data of a Gemini part needed to send it back unchanged. `id` only if Gemini set one. */
const geminiPartData = z.object({ id: z.string().optional(), thoughtSignature: z.string().optional() });

/**
 * Gemini 3 refuses calls without a signature; this documented value replaces it for calls made by another
 * model.
 */
export const foreignCallSignature = 'skip_thought_signature_validator';

/** Cache of parsed data, so that a long history is not parsed again with each request. */
const read = new WeakMap<OpaqueData, z.infer<typeof geminiPartData>>();

/** Parses the stored data of a part; empty if it does not have the expected form. Never throws. */
export function storedData(data: OpaqueData | undefined): z.infer<typeof geminiPartData> {
	if (!data) return {};
	const known = read.get(data);
	if (known) return known;
	const parsed = geminiPartData.safeParse(data.item).data ?? {};
	read.set(data, parsed);
	return parsed;
}
