/** Values of all headers with a name. @param wanted in lower case */
export const headerValues = (headers: readonly (readonly [string, string])[], wanted: string): string[] =>
	headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
