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
	{
		kind: 'password in an address',
		pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@'"`${}]+:(?<secret>[^\s/:@'"`${}]{3,})@/g
	},
	{
		// Letters and digits mixed, no brackets or dots: a value, not an expression of a program.
		kind: 'secret value',
		pattern:
			/\b[A-Za-z0-9_]*(?:api_?key|secret|token|password|passwd)[A-Za-z0-9_]*["']?\s*[:=]\s*["']?(?<secret>(?=[A-Za-z/+_-]*[0-9])(?=[0-9/+_-]*[A-Za-z])[A-Za-z0-9/+_=-]{16,})(?![\w.(])/gi
	}
];

/**
 * Takes what looks like a secret out of a text.
 *
 * @param keep asked for each finding; true leaves it in
 */
export function redactSecrets(text: string, keep: (kind: string, secret: string) => boolean): string {
	let result = text;
	for (const { kind, pattern } of SHAPES) {
		result = result.replace(pattern, (match: string, ...rest: unknown[]) => {
			const groups = rest.at(-1);
			const named = typeof groups === 'object' && groups !== null && 'secret' in groups ? groups.secret : undefined;
			const secret = typeof named === 'string' ? named : match;
			if (keep(kind, secret)) return match;
			return match.replace(secret, () => `[taken out: ${kind}]`);
		});
	}
	return result;
}
