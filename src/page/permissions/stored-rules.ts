import * as z from 'zod/mini';
import type { PermissionRule } from '#agent/guards/permission-rules.ts';
import type { ProjectOrigin } from '#workspace/contract.ts';
import { readStored, writeStored } from '../settings/stored.ts';

/** Scope of a rule: `session` lasts as long as the session, the others as long as this browser stores them. */
export type RuleScope = 'session' | 'project' | 'everywhere';

const StoredRule = z.object({
	kind: z.enum(['path', 'input', 'host', 'git', 'server']),
	pattern: z.string(),
	/** Question that created it. */
	question: z.string(),
	/** Title of the session it was made in. */
	session: z.string(),
	/** Milliseconds since the epoch. */
	madeMs: z.number()
});

/** A rule and its origin. */
export type StoredRule = z.infer<typeof StoredRule>;

const KEY = 'sandglass.permission-rules';
const Shared = z.object({
	everywhere: z.array(StoredRule),
	/** Rules by {@link projectKey}. */
	projects: z.record(z.string(), z.array(StoredRule))
});
type Shared = z.infer<typeof Shared>;

/** Identifies the project of a session; `null` if it could be confused with another one. */
export function projectKey({ kind, url, name }: ProjectOrigin): string | null {
	if (kind === 'git') return url ? `git ${url}` : null;
	return kind === 'sample' ? `sample ${name}` : null;
}

/** Rules of this browser, for one project or for all. */
export function readShared(project: string | null): Record<'project' | 'everywhere', StoredRule[]> {
	const shared = read();
	return { everywhere: shared.everywhere, project: project === null ? [] : (shared.projects[project] ?? []) };
}

/** Replaces the rules of one scope. */
export function writeShared(project: string | null, scope: 'project' | 'everywhere', rules: StoredRule[]): void {
	const shared = read();
	if (scope === 'everywhere') shared.everywhere = rules;
	else if (project !== null) shared.projects = { ...shared.projects, [project]: rules };
	writeStored(localStorage, KEY, shared);
}

/**
 * Rules stored by a session. Those of earlier versions have less information about their origin; damaged ones are
 * omitted.
 */
export function readSessionRules(kept: unknown, earlier: readonly PermissionRule[]): StoredRule[] {
	const rules = Array.isArray(kept) ? kept.flatMap((value) => StoredRule.safeParse(value).data ?? []) : [];
	const known = new Set(rules.map(({ kind, pattern }) => `${kind}\0${pattern}`));
	const others = earlier.filter(({ kind, pattern, tool }) => tool === undefined && !known.has(`${kind}\0${pattern}`));
	return [...rules, ...others.map(({ kind, pattern }) => ({ kind, pattern, question: '', session: '', madeMs: 0 }))];
}

function read(): Shared {
	return readStored(localStorage, KEY, Shared) ?? { everywhere: [], projects: {} };
}
