import type { Replacement } from './replacements.ts';

/** Latin letters with marks, by the plain letter they stand on. */
const byLetter: Record<string, string> = {
	A: 'ÀÁÂÃÄÅĀĂĄ',
	AE: 'Æ',
	C: 'ÇĆĈĊČ',
	D: 'ĎĐÐ',
	E: 'ÈÉÊËĒĔĖĘĚ',
	G: 'ĜĞĠĢ',
	I: 'ÌÍÎÏĨĪĬĮİ',
	K: 'Ķ',
	L: 'ĹĻĽŁ',
	N: 'ÑŃŅŇ',
	O: 'ÒÓÔÕÖØŌŎŐ',
	OE: 'Œ',
	R: 'ŔŘ',
	S: 'ŚŜŞŠȘ',
	T: 'ŢŤȚ',
	TH: 'Þ',
	U: 'ÙÚÛÜŨŪŬŮŰŲ',
	W: 'Ŵ',
	Y: 'ÝŶŸ',
	Z: 'ŹŻŽ',
	a: 'àáâãäåāăą',
	ae: 'æ',
	c: 'çćĉċč',
	d: 'ďđð',
	e: 'èéêëēĕėęě',
	g: 'ĝğġģ',
	i: 'ìíîïĩīĭįı',
	k: 'ķ',
	l: 'ĺļľł',
	n: 'ñńņň',
	o: 'òóôõöøōŏő',
	oe: 'œ',
	r: 'ŕř',
	s: 'śŝşšș',
	t: 'ţťț',
	th: 'þ',
	u: 'ùúûüũūŭůűų',
	w: 'ŵ',
	y: 'ýŷÿ',
	z: 'źżž'
};

export const latin: readonly Replacement[] = Object.entries(byLetter).flatMap(([plain, marked]) =>
	[...marked].map((letter): Replacement => [letter, plain])
);
