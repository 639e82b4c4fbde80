import { ConfigurationError } from '../errors.ts';
import { loadOptionalPackage } from '../optional-package.ts';

/**
 * Loads a provider's SDK.
 * @param name of its package
 * @throws ConfigurationError if it is not installed
 */
export function loadSdk<Sdk>(provider: string, name: string, load: () => Promise<Sdk>): Promise<Sdk> {
	return loadOptionalPackage(name, load, (message, cause) => new ConfigurationError({ provider, message, cause }));
}
