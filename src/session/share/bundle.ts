import { z } from 'zod';
import { MACHINE_KINDS } from '#agent/events.ts';
import { entryPathFault, isGitDirectoryName } from '#environment/entry-path.ts';
import { sessionEntry } from '../schema/entries.ts';
import type { ShareBundle } from '../contract.ts';
import { admitEntries } from './admit.ts';
import { compress, decompress } from './compression.ts';
import { discloseHidden } from './disclose.ts';
import { assertTree } from './entry-tree.ts';
import { ShareError } from './errors.ts';
import { assertJsonWithinLimits } from './json-limits.ts';
import { PUBLIC_HOSTS } from './public-hosts.ts';
import { Mode } from '#environment/mode.ts';

export const SHARE_VERSION = 1;

/** Rejects paths outside the project and git's own directory, which a share never contains. */
const relativePath = z
	.string()
	.refine(
		(path) => path.length < 4096 && entryPathFault(path) === null && !path.split('/').some(isGitDirectoryName),
		'not a path inside the project'
	);

const file = z.object({
	mode: z.union([z.literal(Mode.file), z.literal(Mode.executable), z.literal(Mode.symlink)]),
	base64: z.string().refine((text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text), 'not base64')
});
const files = z.record(relativePath, file);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const shareBundle = z.object({
	version: z.literal(SHARE_VERSION),
	origin: z.object({
		kind: z.enum(['git', 'folder', 'zip', 'files', 'sample']),
		name: z.string(),
		url: z.string().optional(),
		ref: z.string().optional(),
		commit: z.string().optional()
	}),
	title: z.string(),
	base: z.object({ url: z.string().regex(PUBLIC_HOSTS), commit: z.string().regex(/^[0-9a-f]{40}$/) }).optional(),
	files,
	removed: z.array(relativePath),
	before: z.record(relativePath, file.nullable()),
	entries: z.array(sessionEntry),
	leaf: z.string().optional(),
	checkpoints: z.array(
		z.object({
			id: z.string(),
			tree: z.string(),
			label: z.string(),
			timestamp: z.number(),
			entryId: z.string().nullable()
		})
	),
	history: z
		.array(
			z.object({
				checkpoint: z.string().nullable(),
				files,
				removed: z.array(relativePath),
				empty: z.array(relativePath)
			})
		)
		.optional(),
	receipt: z
		.array(
			z.object({
				callId: z.string(),
				checkpoint: z.string(),
				before: hash,
				command: hash,
				output: hash,
				exitCode: z.number().int(),
				after: hash.nullable(),
				machine: z.enum(MACHINE_KINDS).optional(),
				link: hash.optional()
			})
		)
		.optional(),
	viewOnly: z.boolean()
}) satisfies z.ZodType<ShareBundle>;

export async function packBundle(bundle: ShareBundle): Promise<Uint8Array> {
	return compress(new TextEncoder().encode(JSON.stringify(bundle)));
}

/** Parses data from a link or a server, which is untrusted. Rejects with `ShareError`. */
export async function unpackBundle(packed: Uint8Array): Promise<ShareBundle> {
	const json = await decompress(packed);
	assertJsonWithinLimits(json);
	let value: unknown;
	try {
		value = JSON.parse(new TextDecoder().decode(json));
	} catch (error) {
		throw new ShareError('damaged', String(error));
	}
	const version = z.looseObject({ version: z.number() }).safeParse(value);
	if (version.success && version.data.version > SHARE_VERSION) throw new ShareError('newer_version');
	const bundle = shareBundle.safeParse(value);
	if (!bundle.success) throw new ShareError('damaged', z.prettifyError(bundle.error));
	const { entries, leaf, ...rest } = bundle.data;
	// The replay shows the base, but publishing goes to the origin.
	if (rest.base && rest.base.url !== rest.origin.url) throw new ShareError('damaged', 'the base is not the origin');
	assertTree(entries, leaf);
	return { ...rest, ...discloseHidden(admitEntries(entries), leaf) };
}
