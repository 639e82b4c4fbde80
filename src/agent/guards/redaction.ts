/** Forms of keys that are recognised by themselves. */
const SECRETS: readonly { name: string; form: RegExp }[] = [
	{ name: 'Anthropic key', form: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
	{ name: 'OpenAI key', form: /\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}/g },
	{ name: 'Google key', form: /\bAIza[A-Za-z0-9_-]{35}\b/g },
	{ name: 'GitHub token', form: /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})\b/g },
	{ name: 'GitLab token', form: /\bgl(?:pat|ptt|rt|dt|agent|soat)-[A-Za-z0-9_-]{20,}/g },
	{ name: 'AWS key', form: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
	{ name: 'Slack token', form: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
	{ name: 'Stripe key', form: /\b[rs]k_live_[A-Za-z0-9]{20,}/g },
	{ name: 'Hugging Face token', form: /\bhf_[A-Za-z0-9]{34,}\b/g },
	{ name: 'PyPI token', form: /\bpypi-AgE[A-Za-z0-9_-]{50,}/g },
	{ name: 'SendGrid key', form: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/g },
	{ name: 'npm token', form: /\bnpm_[A-Za-z0-9]{36}\b/g }
];

const MARKER = /\[secret left out: [A-Za-z ]+\]/g;

/** The text with every key in it replaced by a marker that says what stood there. */
export function redactSecrets(text: string): string {
	return SECRETS.reduce(
		(left, { name, form }) => left.replace(form, `[secret left out: ${name}]`),
		withoutPrivateKeys(text)
	);
}

const KEY_EDGES = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY-----/g;
/** A line of a key, perhaps behind a line number or a file's name, or a header of one. */
const KEY_LINE = /^\n[^\n]{0,300}?(?:[A-Za-z0-9+/=]{12,}|(?:Proc-Type|DEK-Info): [^\n]*)[^\S\n]*$/;

/** Also a key whose end is not there, because only its first lines were read. Takes time by the text's length only. */
function withoutPrivateKeys(text: string): string {
	const edges = [...text.matchAll(KEY_EDGES)];
	const pieces: string[] = [];
	let at = 0;
	for (const [index, edge] of edges.entries()) {
		if (edge[1] !== 'BEGIN' || edge.index < at) continue;
		const next = edges[index + 1];
		pieces.push(text.slice(at, edge.index), '[secret left out: private key]');
		at = next?.[1] === 'END' ? next.index + next[0].length : endOfPart(text, edge.index + edge[0].length);
	}
	return at === 0 ? text : pieces.join('') + text.slice(at);
}

/** Behind the last line that looks like one of a key. */
function endOfPart(text: string, body: number): number {
	let at = text.indexOf('\n', body);
	if (at === -1) return text.length;
	for (;;) {
		const stop = text.indexOf('\n', at + 1);
		const line = text.slice(at, stop === -1 ? text.length : stop);
		if (line.length > 2_000 || !KEY_LINE.test(line)) return at;
		if (stop === -1) return text.length;
		at = stop;
	}
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
