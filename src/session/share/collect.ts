import type { SessionEntry, SessionLog } from '../../agent/session-log.ts';
import type { ProjectOrigin, WorkspaceApi } from '../../workspace/contract.ts';
import type { SessionSummary, ShareBundle } from '../contract.ts';
import { toBase64 } from './base64.ts';
import { PUBLIC_HOSTS } from './public-hosts.ts';
import { redactSecrets } from './secrets.ts';

export interface ShareSecret {
	/** The same for the same finding in the same session. */
	id: string;
	kind: string;
	/** A path, or `the conversation`. */
	where: string;
}

export interface Collected {
	bundle: ShareBundle;
	files: { path: string; bytes: number }[];
	secrets: ShareSecret[];
}

interface WireFile {
	mode: 0o100644 | 0o100755 | 0o120000;
	base64: string;
}

/**
 * Gathers what a share would carry. What looks like a secret is taken out, unless its id is kept.
 *
 * @param keepSecrets ids of findings that the person put back
 */
export async function collectShare(
	workspace: Pick<WorkspaceApi, 'origin' | 'checkpoints' | 'changes' | 'files' | 'compare'>,
	stored: { summary: Pick<SessionSummary, 'title'>; log: Pick<SessionLog, 'entries'> },
	options: { viewOnly: boolean; keepSecrets: string[] }
): Promise<Collected> {
	const redaction = new Redaction(new Set(options.keepSecrets));
	const changes = await workspace.changes();
	const base = baseOf(workspace.origin);
	const paths = base
		? changes.filter((change) => change.kind !== 'removed').map((change) => change.path)
		: await workspace.files();
	const bundle: ShareBundle = {
		version: 1,
		origin: workspace.origin,
		title: stored.summary.title,
		...(base ? { base } : {}),
		files: {},
		removed: changes.filter((change) => change.kind === 'removed').map((change) => change.path),
		before: {},
		entries: stored.log.entries().map((entry) => redaction.entry(entry)),
		checkpoints: [...workspace.checkpoints],
		viewOnly: options.viewOnly
	};
	const files: Collected['files'] = [];
	for (const path of paths) {
		const { after, afterMode } = await workspace.compare(path);
		if (!after) continue;
		files.push({ path, bytes: after.length });
		bundle.files[path] = redaction.file(path, after, afterMode);
	}
	if (!base) {
		for (const { path } of changes) {
			const { before, beforeMode } = await workspace.compare(path);
			bundle.before[path] = before ? redaction.file(path, before, beforeMode) : null;
		}
	}
	return { bundle, files, secrets: redaction.found };
}

function baseOf({ kind, url, commit }: ProjectOrigin): { url: string; commit: string } | null {
	return kind === 'git' && url !== undefined && commit !== undefined && PUBLIC_HOSTS.test(url) ? { url, commit } : null;
}

/** Takes secrets out of everything a share carries, and remembers what it found. */
class Redaction {
	readonly found: ShareSecret[] = [];
	readonly #keep: Set<string>;
	readonly #ids = new Map<string, ShareSecret>();

	constructor(keep: Set<string>) {
		this.#keep = keep;
	}

	file(path: string, bytes: Uint8Array, mode: number | null): WireFile {
		const text = bytes.includes(0) ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
		const clean = text === null ? null : this.#text(text, path);
		// Untouched bytes stay as they are, whatever their encoding.
		const content = clean === null || clean === text ? bytes : new TextEncoder().encode(clean);
		return { mode: mode === 0o100755 || mode === 0o120000 ? mode : 0o100644, base64: toBase64(content) };
	}

	entry(entry: SessionEntry): SessionEntry {
		return this.#value(entry, 'the conversation');
	}

	/** Every string in a JSON value. */
	#value<T>(value: T, where: string): T {
		if (typeof value === 'string') return this.#text(value, where) as T & string;
		if (Array.isArray(value)) return value.map((item: unknown) => this.#value(item, where)) as T & unknown[];
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, item]) => [key, this.#value<unknown>(item, where)])
		) as T & object;
	}

	#text(text: string, where: string): string {
		return redactSecrets(text, (kind, secret) => {
			const key = `${where}\0${secret}`;
			let finding = this.#ids.get(key);
			if (!finding) {
				finding = { id: `${where}#${this.#ids.size + 1}`, kind, where };
				this.#ids.set(key, finding);
				this.found.push(finding);
			}
			return this.#keep.has(finding.id);
		});
	}
}
