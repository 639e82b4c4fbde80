declare module 'virtual:zoneinfo' {
	/** Address of the archive of compiled time zones. */
	const url: string;
	export default url;
}
