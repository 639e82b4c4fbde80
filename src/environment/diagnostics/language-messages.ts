import { z } from 'zod';
import type { CodeKind } from '../language.ts';

interface PlaceQuestion<Kind extends string> {
	kind: Kind;
	path: string;
	text: string;
	at: number;
}

/** An editor's question as sent to the worker that runs the language service. The schemas below define the answers. */
export type LanguageQuestion =
	| PlaceQuestion<'completions'>
	| PlaceQuestion<'hover'>
	| PlaceQuestion<'definition'>
	| PlaceQuestion<'renameInfo'>
	| { kind: 'details'; path: string; text: string; at: number; name: string; source?: string; data?: string }
	| { kind: 'rename'; path: string; text: string; at: number; to: string }
	| { kind: 'format'; path: string; text: string; indent: number | 'tab' }
	| { kind: 'problems'; path: string; text: string | null }
	| { kind: 'sources'; path: string }
	| { kind: 'symbols'; path: string; query: string };

const KINDS = [
	...(['class', 'constant', 'enum', 'function', 'interface', 'keyword'] as const),
	...(['method', 'namespace', 'property', 'text', 'type', 'variable'] as const)
] satisfies CodeKind[];

const path = z.string().max(4_096);
const words = z.string().max(20_000);
const offset = z.int().min(0);
const kind = z.enum(KINDS);
const edit = z.object({ from: offset, to: offset, text: z.string() });
const location = { path, line: z.int().min(1), column: z.int().min(1) };

/** The project's own compiler may produce the answers, so they are parsed. */
export const answers = {
	completions: z
		.array(
			z.object({
				label: z.string().max(1_000),
				kind,
				insert: z.string().max(2_000).optional(),
				source: path.optional(),
				sort: z.string().max(100),
				data: z.string().max(20_000).optional()
			})
		)
		.max(500),
	details: z.object({ signature: words, documentation: words, edits: z.array(edit).max(200) }).nullable(),
	hover: z.object({ from: offset, to: offset, signature: words, documentation: words }).nullable(),
	definition: z.array(z.object(location)).max(100).nullable(),
	renameInfo: z
		.union([z.object({ name: z.string().max(1_000), from: offset, to: offset }), z.object({ reason: words })])
		.nullable(),
	rename: z
		.array(z.object({ path, edits: z.array(edit.extend({ old: z.string().max(1_000) })).max(5_000) }))
		.max(1_000),
	format: z.array(edit).max(50_000),
	problems: z
		.array(
			z.object({
				...location,
				from: offset,
				to: offset,
				severity: z.enum(['error', 'warning']),
				code: z.string().max(20).optional(),
				message: z.string().max(4_000)
			})
		)
		.max(500),
	sources: z.array(path).max(5_000),
	symbols: z.array(z.object({ ...location, name: z.string().max(1_000), kind })).max(200)
};

/** Answer to a question of this kind. */
export type LanguageAnswer<Kind extends keyof typeof answers> = z.infer<(typeof answers)[Kind]>;
