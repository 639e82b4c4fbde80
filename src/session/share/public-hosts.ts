/**
 * Hosts from which every page can fetch a commit, through its server's archive route. A share names no other.
 */
export const PUBLIC_HOSTS = /^https:\/\/(github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)\//;
