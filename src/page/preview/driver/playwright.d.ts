declare module 'virtual:playwright-injected' {
	/** Address of the script, to be fetched as text. */
	const url: string;
	export default url;
}
