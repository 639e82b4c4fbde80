declare module 'virtual:zoneinfo' {
	/** URL of the archive of compiled time zones. */
	const url: string;
	export default url;
}
