import { InvalidRequestError, providerLabel } from '../errors.ts';
import type { AdapterConfig } from './adapter.ts';

/** Error for content that a wire format cannot represent, thrown before anything is sent. */
export function unsupported(config: AdapterConfig, what: string): InvalidRequestError {
	return new InvalidRequestError({
		provider: config.name,
		message: `${providerLabel(config.name)} cannot take ${what}. Remove it or choose another model.`
	});
}
