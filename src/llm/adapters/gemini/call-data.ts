import { z } from 'zod';

/** What is kept of a Gemini part to send it back as it came. `id` only where Gemini gave one. */
export const geminiPartData = z.object({ id: z.string().optional(), thoughtSignature: z.string().optional() });

/** Gemini 3 refuses calls without a signature; for calls another model made this documented value takes its place. */
export const foreignCallSignature = 'skip_thought_signature_validator';
