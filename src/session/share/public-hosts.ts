/** Hosts that anybody's page can fetch a commit from, through its server's archive door. A share names no other. */
export const PUBLIC_HOSTS = /^https:\/\/(github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)\//;
