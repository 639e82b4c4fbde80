/** Script → its address. There are as many as programs. */
const addresses = new Map<string, string>();
const PIECE = 0x8000;

/** A `data:` address of a script, made once: it is asked for at each start. */
export function dataAddress(script: string): string {
	const known = addresses.get(script);
	if (known !== undefined) return known;
	const bytes = new TextEncoder().encode(script);
	let binary = '';
	for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
	const address = `data:text/javascript;charset=utf-8;base64,${btoa(binary)}`;
	addresses.set(script, address);
	return address;
}
