/** Hosts from which every page can fetch a commit, through its server's archive route. A share may name only these. */
export const PUBLIC_HOSTS = /^https:\/\/(github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)\//;
