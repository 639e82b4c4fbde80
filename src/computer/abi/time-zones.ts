/**
 * Directory of compiled time zones (TZif, RFC 9636), as on Debian. Its files are loaded when a program first looks for
 * them.
 */
export const ZONE_DIRECTORY = '/usr/share/zoneinfo';

/** Asset with the files of {@link ZONE_DIRECTORY}: a gzipped tar archive. */
export const ZONE_ARCHIVE = 'zoneinfo.tar.gz';
