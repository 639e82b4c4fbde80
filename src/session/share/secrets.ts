export interface FoundSecret {
	/** What it looks like, for people. */
	kind: string;
	/** A file's path, or `conversation`. */
	where: string;
	/** Enough to recognise it, never the whole. */
	preview: string;
}

/** Shapes that keys of common services have. The group `secret`, or else the whole match, is taken out. */
const SHAPES: { kind: string; pattern: RegExp }[] = [
	{
		kind: 'private key',
		pattern: /-----BEGIN (?:[A-Z ]+ )?PRIVATE KEY-----[\s\S]{20,}?-----END (?:[A-Z ]+ )?PRIVATE KEY-----/g
	},
	{ kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
	{ kind: 'GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})\b/g },
	{ kind: 'GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20,}/g },
	{ kind: 'Anthropic key', pattern: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
	{ kind: 'OpenAI key', pattern: /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}/g },
	{ kind: 'Google key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
	{ kind: 'Stripe key', pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{20,}/g },
	{ kind: 'Slack token', pattern: /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g },
	{ kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
	{ kind: 'JSON web token', pattern: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g },
	{ kind: 'password in an address', pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:(?<secret>[^\s/:@]{3,})@/g },
	{
		kind: 'secret value',
		pattern:
			/\b[A-Z0-9_]*(?:API_?KEY|SECRET|TOKEN|PASSWORD|PASSWD)[A-Z0-9_]*["']?\s*[:=]\s*["']?(?<secret>[^\s"',;]{8,})/g
	}
];

/** Finds what looks like a secret in a text and takes it out. */
export function redactSecrets(text: string, where: string): { text: string; found: FoundSecret[] } {
	const found: FoundSecret[] = [];
	let result = text;
	for (const { kind, pattern } of SHAPES) {
		result = result.replace(pattern, (match: string, ...rest: unknown[]) => {
			const groups = rest.at(-1) as { secret?: string } | string | undefined;
			const secret = typeof groups === 'object' && groups.secret !== undefined ? groups.secret : match;
			if (secret.startsWith('[taken out')) return match;
			found.push({ kind, where, preview: `${secret.slice(0, 4)}…` });
			return match.replace(secret, () => `[taken out: ${kind}]`);
		});
	}
	return { text: result, found };
}
