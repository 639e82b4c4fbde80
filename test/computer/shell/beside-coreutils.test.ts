import { testFacts } from './bash-facts.ts';

testFacts({
	'links in directories, relative and backed up': [
		[
			'mkdir l; cd l; mkdir d; echo 1 >a; echo 2 >b; ln -s "$PWD/a" "$PWD/b" d; cat d/a d/b; ln a b d 2>/dev/null; echo $?; ln -f a b d; [ a -ef d/a ]; echo $?; cd ..; rm -r l',
			'1\n2\n1\n0\n'
		],
		[
			'mkdir l; cd l; mkdir -p d/e; echo 1 >a; ln -srv a d/e/x; readlink d/e/x; ln -s d k; ln -sfn a k; readlink k; ln -sf --backup=numbered b k; ls; ln -sT a d 2>&1; (cd d/e; ln -s ../../a); cat d/e/a; cd ..; rm -r l',
			"'d/e/x' -> '../../a'\n../../a\na\na\nd\nk\nk.~1~\nln: failed to create symbolic link 'd': File exists\n1\n"
		],
		[
			'mkdir l; cd l; ln no y 2>&1; ln . y 2>&1; ln -s x x; ln x z; readlink z; ln -s a b c 2>&1; cd ..; rm -r l',
			"ln: failed to access 'no': No such file or directory\nln: .: hard link not allowed for directory\nx\nln: target 'c': No such file or directory\n"
		]
	],
	moves: [
		[
			'mkdir m; cd m; mkdir d; echo 1 >a; echo 2 >b; echo 3 >c; mv -v a b d; mv -n c d/a; ls . d; mv -b -S .old c d/a; cat d/a d/a.old; mv -t . d/a d/b; ls; cd ..; rm -r m',
			"renamed 'a' -> 'd/a'\nrenamed 'b' -> 'd/b'\n.:\nc\nd\n\nd:\na\nb\n3\n1\na\nb\nd\n"
		],
		[
			'mkdir m; cd m; mkdir -p d/s e/d/x; touch f; ln f g; mv f g 2>&1; ls; mv d d/s 2>&1; mv d e 2>&1; mv g d/s/ && ls d/s; touch h; mv -T h d 2>&1; mv e h 2>&1; mv no h 2>&1; cd ..; rm -r m',
			"mv: 'f' and 'g' are the same file\nd\ne\nf\ng\nmv: cannot move 'd' to a subdirectory of itself, 'd/s/d'\nmv: cannot move 'd' to 'e/d': Directory not empty\ng\nmv: cannot overwrite directory 'd' with non-directory\nmv: cannot overwrite non-directory 'h' with directory 'e'\nmv: cannot stat 'no': No such file or directory\n"
		],
		[
			'mkdir m; cd m; echo 1 >a; echo 2 >b; echo n | mv -i a b 2>/dev/null; cat b; echo y | mv -i a b 2>/dev/null; cat b; cd ..; rm -r m',
			'2\n1\n'
		]
	]
});
