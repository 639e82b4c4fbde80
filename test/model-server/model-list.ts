import type { IncomingHttpHeaders } from 'node:http';

/**
 * Answers a request for a provider's models, which tests a key. A key that contains `wrong` is refused in the
 * provider's way, one that contains `broken` with an error of the provider's own.
 */
export function modelList(headers: IncomingHttpHeaders): [status: number, body: unknown] {
	const gemini = headers['x-goog-api-key'];
	const key = String(gemini ?? headers['x-api-key'] ?? headers.authorization ?? '');
	// As Anthropic does for a page's request without it.
	if (headers['x-api-key'] && headers['anthropic-dangerous-direct-browser-access'] !== 'true') {
		return [401, { error: { message: 'CORS requests must set a header.' } }];
	}
	if (key.includes('broken')) return [503, { error: { message: 'Overloaded' } }];
	if (key.includes('wrong') && gemini)
		return [400, { error: { status: 'INVALID_ARGUMENT', message: 'API key not valid.' } }];
	if (key === '' || key.includes('wrong')) return [401, { error: { message: 'invalid x-api-key' } }];
	if (gemini !== undefined)
		return [
			200,
			{
				models: [
					{ name: 'models/gemini-5-neon', supportedGenerationMethods: ['generateContent'] },
					{ name: 'models/embedding-5', supportedGenerationMethods: ['embedContent'] }
				]
			}
		];
	const names = headers['x-api-key'] ? ['claude-opus-9', 'claude-haiku-9'] : ['gpt-9', 'text-embedding-9'];
	return [200, { data: names.map((id) => ({ id })) }];
}
