declare module 'virtual:playwright-injected' {
	/** URL of the script, to be fetched as text. */
	const url: string;
	export default url;
}
