/** Forms of keys that are recognised by themselves. */
const SECRETS: readonly { name: string; form: RegExp }[] = [
	{ name: 'private key', form: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g },
	{ name: 'Anthropic key', form: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
	{ name: 'OpenAI key', form: /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}/g },
	{ name: 'Google key', form: /\bAIza[A-Za-z0-9_-]{35}\b/g },
	{ name: 'GitHub token', form: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})\b/g },
	{ name: 'GitLab token', form: /\bglpat-[A-Za-z0-9_-]{20,}/g },
	{ name: 'AWS key', form: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
	{ name: 'Slack token', form: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
	{ name: 'Stripe key', form: /\b[rs]k_live_[A-Za-z0-9]{20,}/g },
	{ name: 'npm token', form: /\bnpm_[A-Za-z0-9]{36}\b/g }
];

const MARKER = /\[secret left out: [A-Za-z ]+\]/g;

/** The text with every key in it replaced by a marker that says what stood there. */
export function redactSecrets(text: string): string {
	return SECRETS.reduce((left, { name, form }) => left.replace(form, `[secret left out: ${name}]`), text);
}

/** The same for every text in plain data, e.g. the diff in a result's details. */
export function redactData(value: unknown): unknown {
	if (typeof value === 'string') return redactSecrets(value);
	if (Array.isArray(value)) return value.map(redactData);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, redactData(part)]));
}

/** How many markers a text holds: writing one back would destroy the secret behind it. */
export function countMarkers(text: string): number {
	return text.match(MARKER)?.length ?? 0;
}
