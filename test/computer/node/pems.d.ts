/** Text of a key or a certificate. */
declare module '*.key?raw' {
	const text: string;
	export default text;
}

declare module '*.crt?raw' {
	const text: string;
	export default text;
}
