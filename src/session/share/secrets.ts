import { replacePrivateKeys } from '#agent/guards/private-keys.ts';
import { replaceSecrets, SECRET_SHAPES, type SecretShape } from '#agent/guards/secret-shapes.ts';

/**
 * Secrets recognized only by their context. Shares are redacted more strictly than model requests, since users
 * can restore a finding.
 */
const BY_PLACE: readonly SecretShape[] = [
	{
		kind: 'password in an address',
		pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@'"`${}]{0,100}:(?<secret>[^\s/:@'"`${}]{3,200})@/g
	},
	{
		kind: 'authorization header',
		pattern: /\bauthorization["']?\s*[:=]\s*["']?(?:basic|bearer|token)\s+(?<secret>[A-Za-z0-9+/._~-]{8,}={0,2})/gi
	},
	{ kind: 'password', pattern: /^\s*(?:machine\s+\S+\s+login\s+\S+\s+)?password\s+(?<secret>\S{6,})\s*$/gm },
	{
		// Letters and digits mixed, no brackets or dots: a value, not an expression of a program.
		kind: 'secret value',
		pattern:
			/(?:api[_-]?key|access[_-]?key|secret|token|password|passwd|credential|private[_-]?key)[A-Za-z0-9_.-]{0,40}["']?\s*[:=]\s*["']?(?<secret>(?=[A-Za-z/+_-]*[0-9])(?=[0-9/+_-]*[A-Za-z])[A-Za-z0-9/+_=-]{16,})(?![\w.(])/gi
	}
];

/**
 * Removes suspected secrets from a text.
 *
 * @param keep called for each finding; true leaves it in
 */
export function redactSecrets(text: string, keep: (kind: string, secret: string) => boolean): string {
	const by = (kind: string) => (secret: string) => (keep(kind, secret) ? secret : `[taken out: ${kind}]`);
	let result = replacePrivateKeys(text, by('private key'));
	for (const { kind, pattern } of [...SECRET_SHAPES, ...BY_PLACE]) result = replaceSecrets(result, pattern, by(kind));
	return result;
}
