/** Replaces placeholders for single characters: `%n`, `%%`, `%x0a`. */
export function unescapeFormat(text: string): string {
	return text.replace(/%(?:x([0-9a-fA-F]{2})|n|%)/g, (escape, hex?: string) =>
		hex !== undefined ? String.fromCharCode(Number.parseInt(hex, 16)) : escape === '%n' ? '\n' : '%'
	);
}
