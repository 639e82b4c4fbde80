import { testFacts } from './bash-facts.ts';

testFacts({
	'forms of diff': [
		[
			"mkdir s1; cd s1; { printf 'a\\nb\\nc\\nd\\n' >x; printf 'a\\nB\\nc\\nd\\ne' >y; for form in '' -u -c -e -f -n; do diff --label x --label y $form x y; echo $?; done; } 2>.e; cat .e",
			'2c2\n< b\n---\n> B\n4a5\n> e\n\\ No newline at end of file\n1\n--- x\n+++ y\n@@ -1,4 +1,5 @@\n a\n-b\n+B\n c\n d\n+e\n\\ No newline at end of file\n1\n*** x\n--- y\n***************\n*** 1,4 ****\n  a\n! b\n  c\n  d\n--- 1,5 ----\n  a\n! B\n  c\n  d\n+ e\n\\ No newline at end of file\n1\n4a\ne\n.\n2c\nB\n.\n2\nc2\nB\n.\na4\ne\n.\n2\nd2 1\na2 1\nB\na4 1\ne1\ndiff: y: No newline at end of file\n\ndiff: y: No newline at end of file\n\n'
		],
		[
			"mkdir s2; cd s2; { printf 'a\\nb\\nc\\nd\\n' >x; printf 'a\\nB\\nc\\nd\\ne' >y; diff -D NEW x y; diff --old-line-format='-%L' --new-line-format='+%L' --unchanged-line-format=' %l %dn%c'\\''\\012'\\''' x y; echo; diff --changed-group-format='%df,%dl %dN%(n=N? same:)%<%>' --unchanged-group-format='' x y; } 2>.e; cat .e",
			'a\n#ifndef NEW\nb\n#else /* NEW */\nB\n#endif /* NEW */\nc\nd\n#ifdef NEW\ne\n#endif /* NEW */\n a 1\n-b\n+B\n c 3\n d 4\n+e\n2,2 1 sameb\nB\n5,4 1e\n'
		],
		[
			"mkdir s3; cd s3; { seq 20 >a; sed '3s/$/x/; 5d; 18s/$/y/' a >b; diff -u1 a b | tail -n +3; diff -U0 a b | tail -n +3; diff -2 -c a b | tail -n +3; } 2>.e; cat .e",
			'@@ -2,5 +2,4 @@\n 2\n-3\n+3x\n 4\n-5\n 6\n@@ -17,3 +16,3 @@\n 17\n-18\n+18y\n 19\n@@ -3 +3 @@\n-3\n+3x\n@@ -5 +4,0 @@\n-5\n@@ -18 +17 @@\n-18\n+18y\n***************\n*** 1,7 ****\n  1\n  2\n! 3\n  4\n- 5\n  6\n  7\n--- 1,6 ----\n  1\n  2\n! 3x\n  4\n  6\n  7\n***************\n*** 16,20 ****\n  16\n  17\n! 18\n  19\n  20\n--- 15,19 ----\n  16\n  17\n! 18y\n  19\n  20\n'
		],
		[
			"mkdir s4; cd s4; { printf '.\\n.\\nx\\n' >p; printf 'a\\n' >q; diff -e q p; diff -e p q; printf 'a' >r; diff -e q r; echo $?; } 2>.e; cat .e",
			'1c\n..\n.\ns/.//\na\n..\n.\ns/.//\na\nx\n.\n1,3c\na\n.\n2\ndiff: r: No newline at end of file\n\n'
		],
		[
			"mkdir s5; cd s5; { seq 20 >a; sed '3s/$/x/; 5d; 18s/$/y/' a >b; diff -y -W 40 a b | head -6; diff -y -W 40 --left-column a b | head -4; diff -y -W 40 --suppress-common-lines a b; } 2>.e; cat .e",
			'1\t\t\t1\n2\t\t\t2\n3\t\t   |\t3x\n4\t\t\t4\n5\t\t   <\n6\t\t\t6\n1\t\t   (\n2\t\t   (\n3\t\t   |\t3x\n4\t\t   (\n3\t\t   |\t3x\n5\t\t   <\n18\t\t   |\t18y\n'
		],
		[
			"mkdir s6; cd s6; { printf 'f() {\\n  int a;\\nlabel:\\n  x;\\n\\n\\n  y;\\n}\\n' >f; sed s/y/z/ f >g; diff -pU1 f g | tail -n +3; diff -U1 -F 'int' f g | tail -n +3; diff -c1 -p f g | sed -n 3p; } 2>.e; cat .e",
			'@@ -6,3 +6,3 @@ label:\n \n-  y;\n+  z;\n }\n@@ -6,3 +6,3 @@ int a;\n \n-  y;\n+  z;\n }\n*************** label:\n'
		],
		[
			"mkdir s7; cd s7; { printf 'a\\nb\\nc\\nd\\n' >x; printf 'a\\nB\\nc\\nd\\ne' >y; diff --color=always x y; diff -u --color=always --label x --label y --palette='hd=33:ad=34' x y; diff -c --color=always --label x --label y x y; } 2>.e; cat .e",
			'\u001b[36m2c2\u001b[0m\n\u001b[31m< b\u001b[0m\n---\n\u001b[32m> B\u001b[0m\n\u001b[36m4a5\u001b[0m\n\u001b[32m> e\u001b[0m\n\\ No newline at end of file\n\u001b[33m--- x\u001b[0m\n\u001b[33m+++ y\u001b[0m\n\u001b[36m@@ -1,4 +1,5 @@\u001b[0m\n a\n\u001b[31m-b\u001b[0m\n\u001b[34m+B\u001b[0m\n c\n d\n\u001b[34m+e\u001b[0m\n\\ No newline at end of file\n\u001b[1m*** x\u001b[0m\n\u001b[1m--- y\u001b[0m\n***************\n\u001b[36m*** 1,4 ****\u001b[0m\n\u001b[31m  a\u001b[0m\n\u001b[31m! b\u001b[0m\n\u001b[31m  c\u001b[0m\n\u001b[31m  d\u001b[0m\n\u001b[36m--- 1,5 ----\u001b[0m\n\u001b[32m  a\u001b[0m\n\u001b[32m! B\u001b[0m\n\u001b[32m  c\u001b[0m\n\u001b[32m  d\u001b[0m\n\u001b[32m+ e\u001b[0m\n\\ No newline at end of file\n'
		],
		[
			"mkdir s8; cd s8; { printf '\\tx\\n\\n' >t; printf '\\ty\\n\\n' >u; diff -t t u; diff -T t u; diff -Tu t u | tail -n 3; diff --suppress-blank-empty -u t u | tail -n 4; diff -t --tabsize=4 t u; } 2>.e; cat .e",
			'1c1\n<         x\n---\n>         y\n1c1\n<\t\tx\n---\n>\t\ty\n-\t\tx\n+\t\ty\n\t\n@@ -1,2 +1,2 @@\n-\tx\n+\ty\n\n1c1\n<     x\n---\n>     y\n'
		]
	],
	'changes that could stand at several places': [
		[
			"mkdir s9; cd s9; { printf '%s\\n' 6 10 10 14 16 >a; printf '%s\\n' 6 10 14 16 >b; diff a b; diff -u a b | tail -n +3; diff --horizon-lines=2 a b; printf '%s\\n' a '{' x '}' '' b '{' y '}' '' c '{' z '}' >c; printf '%s\\n' a '{' x '}' '' d '{' y '}' '' b '{' y '}' '' c '{' z '}' >d; diff -u c d | tail -n +3; diff c d; diff -U1 d c | tail -n +3; diff --horizon-lines=x a b; } 2>.e; cat .e",
			"3d2\n< 10\n@@ -1,5 +1,4 @@\n 6\n 10\n-10\n 14\n 16\n3d2\n< 10\n@@ -3,6 +3,11 @@\n x\n }\n \n+d\n+{\n+y\n+}\n+\n b\n {\n y\n5a6,10\n> d\n> {\n> y\n> }\n> \n@@ -5,7 +5,2 @@\n \n-d\n-{\n-y\n-}\n-\n b\ndiff: invalid horizon length 'x'\ndiff: Try 'diff --help' for more information.\n"
		],
		[
			"mkdir s10; cd s10; { printf '%s\\n' 1 2 2 1 3 1 2 1 >a; printf '%s\\n' 2 1 1 3 3 1 1 2 2 >b; diff a b; diff -u b a | tail -n +3; printf '%s\\n' 2 2 0 2 1 1 0 1 2 >c; printf '%s\\n' 0 2 >d; diff c d; diff -c d c | tail -n +3; } 2>.e; cat .e",
			'1,2d0\n< 1\n< 2\n4a3,4\n> 1\n> 3\n7d6\n< 2\n8a8,9\n> 2\n> 2\n@@ -1,9 +1,8 @@\n-2\n 1\n+2\n+2\n 1\n 3\n-3\n 1\n-1\n-2\n 2\n+1\n1,2d0\n< 2\n< 2\n4,8d1\n< 2\n< 1\n< 1\n< 0\n< 1\n***************\n*** 1,2 ****\n--- 1,9 ----\n+ 2\n+ 2\n+ 0\n+ 2\n+ 1\n+ 1\n  0\n+ 1\n  2\n'
		]
	],
	'differences that do not count': [
		[
			"mkdir s11; cd s11; { printf '1a\\n2\\n3a\\n4\\n5\\n6\\n' >a; printf '1b\\n2\\n3b\\n4\\n5\\n6\\n7\\n' >b; diff -U1 -I 3 a b | tail -n +3; diff -I '^[13]' a b; diff -I '[0-9]' a b; echo $?; diff -Ix -I\\\\ a b; echo $?; } 2>.e; cat .e",
			'@@ -1,2 +1,2 @@\n-1a\n+1b\n 2\n@@ -6 +6,2 @@\n 6\n+7\n6a7\n> 7\n0\n2\ndiff: \\: Trailing backslash\n'
		],
		[
			"mkdir s12; cd s12; { printf 'a\\n\\nb\\n' >a; printf 'a\\nb\\n' >b; diff -B a b; echo $?; diff -By -W 20 a b; printf 'a' >c; printf 'c' >d; diff -B c d; echo $?; } 2>.e; cat .e",
			'0\na\ta\n\tb\nb     (\n1c1\n< a\n\\ No newline at end of file\n---\n> c\n\\ No newline at end of file\n1\n'
		],
		[
			"mkdir s13; cd s13; { printf 'a  b\\tc \\n' >a; printf 'a b c\\n' >b; printf 'abc' >c; for o in -b -w -Z -E -bi; do diff -q $o a b; echo $?; done; diff -w a c; echo $?; printf 'a\\r\\n' >d; printf 'a\\n' >e; diff --strip-trailing-cr d e; echo $?; diff -q d e; } 2>.e; cat .e",
			'0\n0\nFiles a and b differ\n1\nFiles a and b differ\n1\n0\n0\n0\nFiles d and e differ\n'
		]
	],
	'files and directories that diff is given': [
		[
			"mkdir s14; cd s14; { mkdir a b; echo 1 >'a/x y'; echo 2 >'b/x y'; echo 3 >a/only; mkdir a/d b/d b/e; echo 4 >b/e/f; diff -r a b; diff -rq a b; diff a b; diff -rN a b; diff -rP a b; diff -r -I '^#' -x only -x '*e' a/ b; } 2>.e; cat .e",
			'Only in b: e\nOnly in a: only\ndiff -r "a/x y" "b/x y"\n1c1\n< 1\n---\n> 2\nOnly in b: e\nOnly in a: only\nFiles a/x y and b/x y differ\nCommon subdirectories: a/d and b/d\nOnly in b: e\nOnly in a: only\ndiff "a/x y" "b/x y"\n1c1\n< 1\n---\n> 2\ndiff -rN a/e/f b/e/f\n0a1\n> 4\ndiff -rN a/only b/only\n1d0\n< 3\ndiff -rN "a/x y" "b/x y"\n1c1\n< 1\n---\n> 2\ndiff -rP a/e/f b/e/f\n0a1\n> 4\nOnly in a: only\ndiff -rP "a/x y" "b/x y"\n1c1\n< 1\n---\n> 2\ndiff -r -I \'^#\' -x only -x \'*e\' "a/x y" "b/x y"\n1c1\n< 1\n---\n> 2\n'
		],
		[
			'mkdir s15; cd s15; { echo 1 >f; ln -s f l; ln -s f m; ln -s g n; mkdir d e; mkfifo d/p; echo >e/p; : >d/k; mkdir e/k; diff --no-dereference f l; diff --no-dereference l m; echo $?; diff --no-dereference l n; diff -r d e; diff n f; diff --no-dereference n f; } 2>.e; cat .e',
			'File f is a regular file while file l is a symbolic link\n0\nSymbolic links l and n differ\nFile d/k is a regular empty file while file e/k is a directory\nFile d/p is a fifo while file e/p is a regular file\nFile n is a symbolic link while file f is a regular file\ndiff: n: No such file or directory\n'
		],
		[
			'mkdir s16; cd s16; { echo a >a; diff -N b - <a; diff --unidirectional-new-file b - <a; diff -N - b <a; diff -P - b <a; echo $?; diff -N b c; echo $?; diff b a; TZ=UTC0; export TZ; touch -d 2020-01-02 a; diff -uN b a; diff - . <a; echo $?; mkdir d; echo b >d/a; diff a d; diff d a; diff --from-file=a d/a a; diff --to-file=a d/a; diff -s a a; diff -q a d/a; } 2>.e; cat .e',
			"0a1\n> a\n0a1\n> a\n1d0\n< a\n2\n2\n--- b\t1970-01-01 00:00:00.000000000 +0000\n+++ a\t2020-01-02 00:00:00.000000000 +0000\n@@ -0,0 +1 @@\n+a\n2\n1c1\n< a\n---\n> b\n1c1\n< b\n---\n> a\n1c1\n< a\n---\n> b\n1c1\n< b\n---\n> a\nFiles a and a are identical\nFiles a and d/a differ\ndiff: b: No such file or directory\ndiff: b: No such file or directory\ndiff: c: No such file or directory\ndiff: b: No such file or directory\ndiff: cannot compare '-' to a directory\n"
		],
		[
			'mkdir s17; cd s17; { mkdir d1 d2; for i in abc abC aBc; do echo xyz >d1/$i; echo xyz >d2/$i; done; mv d2/abc d2/ABC; diff -r --ignore-file-name-case d1 d2; echo $?; diff -r d1 d2; } 2>.e; cat .e',
			'0\nOnly in d2: ABC\nOnly in d1: abc\n'
		],
		[
			"mkdir s18; cd s18; { printf 'a\\n' >'q\"x'; printf 'b\\n' >'a\tb'; export TZ=UTC0; touch -d 2020-01-02T03:04:05 *; diff -u 'q\"x' 'a\tb'; LC_ALL=C diff -c 'q\"x' 'a\tb' | head -2; diff 'q\"x' nofile; diff -u x y z; diff x; diff -u -c x y; diff -U x a b; diff --foo; diff -L 1 -L 2 -L 3 a b; diff --from-file=a --to-file=b; diff --color=x a b; diff -W 0 a b; diff -F '\\(' a b; } 2>.e; cat .e",
			"--- \"q\\\"x\"\t2020-01-02 03:04:05.000000000 +0000\n+++ \"a\\tb\"\t2020-01-02 03:04:05.000000000 +0000\n@@ -1 +1 @@\n-a\n+b\n*** \"q\\\"x\"\tThu Jan  2 03:04:05 2020\n--- \"a\\tb\"\tThu Jan  2 03:04:05 2020\ndiff: nofile: No such file or directory\ndiff: extra operand 'z'\ndiff: Try 'diff --help' for more information.\ndiff: missing operand after 'x'\ndiff: Try 'diff --help' for more information.\ndiff: conflicting output style options\ndiff: Try 'diff --help' for more information.\ndiff: invalid context length 'x'\ndiff: Try 'diff --help' for more information.\ndiff: unrecognized option '--foo'\ndiff: Try 'diff --help' for more information.\ndiff: too many file label options\ndiff: --from-file and --to-file both specified\ndiff: invalid color 'x'\ndiff: Try 'diff --help' for more information.\ndiff: invalid width '0'\ndiff: Try 'diff --help' for more information.\ndiff: \\(: Unmatched ( or \\(\n"
		]
	],
	'three files': [
		[
			"mkdir s19; cd s19; { seq 20 >old; sed '3s/$/m/;8d;12s/$/m/;15s/$/both/' old >mine; sed '5s/$/y/;12s/$/y/;15s/$/both/;8s/$/y/;20a 21' old >yours; for form in '' -e -E -A -x -3 -i; do diff3 $form mine old yours; echo $?; done; } 2>.e; cat .e",
			'====1\n1:3c\n  3m\n2:3c\n3:3c\n  3\n====3\n1:5c\n2:5c\n  5\n3:5c\n  5y\n====\n1:7a\n2:8c\n  8\n3:8c\n  8y\n====\n1:11c\n  12m\n2:12c\n  12\n3:12c\n  12y\n====2\n1:14c\n3:15c\n  15both\n2:15c\n  15\n====3\n1:19a\n2:20a\n3:21c\n  21\n0\n19a\n21\n.\n11c\n12y\n.\n7a\n8y\n.\n5c\n5y\n.\n0\n19a\n21\n.\n11a\n=======\n12y\n>>>>>>> yours\n.\n10a\n<<<<<<< mine\n.\n7a\n=======\n8y\n>>>>>>> yours\n.\n7a\n<<<<<<< mine\n.\n5c\n5y\n.\n1\n19a\n21\n.\n14a\n>>>>>>> yours\n.\n13a\n<<<<<<< old\n15\n=======\n.\n11a\n||||||| old\n12\n=======\n12y\n>>>>>>> yours\n.\n10a\n<<<<<<< mine\n.\n7a\n||||||| old\n8\n=======\n8y\n>>>>>>> yours\n.\n7a\n<<<<<<< mine\n.\n5c\n5y\n.\n1\n11c\n12y\n.\n7a\n8y\n.\n0\n19a\n21\n.\n5c\n5y\n.\n0\n====1\n1:3c\n  3m\n2:3c\n3:3c\n  3\n====3\n1:5c\n2:5c\n  5\n3:5c\n  5y\n====\n1:7a\n2:8c\n  8\n3:8c\n  8y\n====\n1:11c\n  12m\n2:12c\n  12\n3:12c\n  12y\n====2\n1:14c\n3:15c\n  15both\n2:15c\n  15\n====3\n1:19a\n2:20a\n3:21c\n  21\n0\n'
		],
		[
			"mkdir s20; cd s20; { seq 20 >old; sed '3s/$/m/;8d;12s/$/m/;15s/$/both/' old >mine; sed '5s/$/y/;12s/$/y/;15s/$/both/;8s/$/y/;20a 21' old >yours; for form in '' -A -E -e -x -3; do diff3 -m $form mine old yours; echo $?; done; } 2>.e; cat .e",
			'1\n2\n3m\n4\n5y\n6\n7\n<<<<<<< mine\n||||||| old\n8\n=======\n8y\n>>>>>>> yours\n9\n10\n11\n<<<<<<< mine\n12m\n||||||| old\n12\n=======\n12y\n>>>>>>> yours\n13\n14\n<<<<<<< old\n15\n=======\n15both\n>>>>>>> yours\n16\n17\n18\n19\n20\n21\n1\n1\n2\n3m\n4\n5y\n6\n7\n<<<<<<< mine\n||||||| old\n8\n=======\n8y\n>>>>>>> yours\n9\n10\n11\n<<<<<<< mine\n12m\n||||||| old\n12\n=======\n12y\n>>>>>>> yours\n13\n14\n<<<<<<< old\n15\n=======\n15both\n>>>>>>> yours\n16\n17\n18\n19\n20\n21\n1\n1\n2\n3m\n4\n5y\n6\n7\n<<<<<<< mine\n=======\n8y\n>>>>>>> yours\n9\n10\n11\n<<<<<<< mine\n12m\n=======\n12y\n>>>>>>> yours\n13\n14\n15both\n16\n17\n18\n19\n20\n21\n1\n1\n2\n3m\n4\n5y\n6\n7\n8y\n9\n10\n11\n12y\n13\n14\n15both\n16\n17\n18\n19\n20\n21\n0\n1\n2\n3m\n4\n5\n6\n7\n8y\n9\n10\n11\n12y\n13\n14\n15both\n16\n17\n18\n19\n20\n0\n1\n2\n3m\n4\n5y\n6\n7\n9\n10\n11\n12m\n13\n14\n15both\n16\n17\n18\n19\n20\n21\n0\n'
		],
		[
			"mkdir s21; cd s21; { seq 20 >old; sed '3s/$/m/;8d;12s/$/m/;15s/$/both/' old >mine; sed '5s/$/y/;12s/$/y/;15s/$/both/;8s/$/y/;20a 21' old >yours; diff3 -m -L M -L O -L Y mine old yours | grep '[MOY]'; diff3 - old yours <mine | head -3; diff3 -T mine old yours | head -3; cp mine m; diff3 -A -i mine old yours | head -3; printf 'a\\n' >e; : >n; diff3 e n e; diff3 n e e; diff3 e n n; diff3 -m e n e; printf x >z; diff3 z e n; } 2>.e; cat .e",
			'<<<<<<< M\n||||||| O\n>>>>>>> Y\n<<<<<<< M\n||||||| O\n>>>>>>> Y\n<<<<<<< O\n>>>>>>> Y\n====1\n1:3c\n  3m\n====1\n1:3c\n\t3m\n19a\n21\n.\n====2\n1:1c\n3:1c\n  a\n2:0a\n====1\n1:0a\n2:1c\n3:1c\n  a\n====1\n1:1c\n  a\n2:0a\n3:0a\n<<<<<<< n\n=======\na\n>>>>>>> e\n====\n1:1c\n  x\n\\ No newline at end of file\n2:1c\n  a\n3:0a\n'
		],
		[
			'mkdir s22; cd s22; { echo >a; diff3 a; diff3; diff3 a a a a; diff3 a a no; echo $?; diff3 -e -x a a a; diff3 -L x a a a; diff3 -L 1 -L 2 -L 3 -L 4 a a a; diff3 --foo; } 2>.e; cat .e',
			"2\ndiff3: missing operand after 'a'\ndiff3: Try 'diff3 --help' for more information.\ndiff3: missing operand after 'diff3'\ndiff3: Try 'diff3 --help' for more information.\ndiff3: extra operand 'a'\ndiff3: Try 'diff3 --help' for more information.\ndiff3: no: No such file or directory\ndiff3: incompatible options\ndiff3: Try 'diff3 --help' for more information.\ndiff3: incompatible options\ndiff3: Try 'diff3 --help' for more information.\ndiff3: too many file label options\ndiff3: Try 'diff3 --help' for more information.\ndiff3: unrecognized option '--foo'\ndiff3: Try 'diff3 --help' for more information.\n"
		]
	],
	'two files merged by hand': [
		[
			"mkdir s23; cd s23; { seq 20 >a; sed '3s/$/x/; 5d; 18s/$/y/' a >b; sdiff -w 40 a b | head -5; sdiff -w 40 -s a b; sdiff -l -w 40 a b | head -4; sdiff a a >.o; echo $?; sdiff a; sdiff a b c; sdiff a no; echo $?; sdiff --foo; } 2>.e; cat .e",
			"1\t\t\t1\n2\t\t\t2\n3\t\t   |\t3x\n4\t\t\t4\n5\t\t   <\n3\t\t   |\t3x\n5\t\t   <\n18\t\t   |\t18y\n1\t\t   (\n2\t\t   (\n3\t\t   |\t3x\n4\t\t   (\n0\n2\nsdiff: missing operand after 'a'\nsdiff: Try 'sdiff --help' for more information.\nsdiff: extra operand 'c'\nsdiff: Try 'sdiff --help' for more information.\ndiff: no: No such file or directory\nsdiff: unrecognized option '--foo'\nsdiff: Try 'sdiff --help' for more information.\n"
		],
		[
			"mkdir s24; cd s24; { seq 20 >a; sed '3s/$/x/; 5d; 18s/$/y/' a >b; export EDITOR=true; printf 'l\\nr\\nr\\n' | sdiff -w 40 -o out a b; echo $?; cat out; printf 's\\nr\\nv\\n1\\n2\\n' | sdiff -w 40 -o out a b; echo; tail -n 3 out; printf 'el\\ner\\ned\\n' | sdiff -s -w 40 -o out a b; tail -n 7 out; printf 'l\\nq\\n' | sdiff -w 40 -o out a b; echo $?; cat out; } 2>.e; cat .e",
			'1\t\t\t1\n2\t\t\t2\n3\t\t   |\t3x\n%4\t\t\t4\n5\t\t   <\n%6\t\t\t6\n7\t\t\t7\n8\t\t\t8\n9\t\t\t9\n10\t\t\t10\n11\t\t\t11\n12\t\t\t12\n13\t\t\t13\n14\t\t\t14\n15\t\t\t15\n16\t\t\t16\n17\t\t\t17\n18\t\t   |\t18y\n%19\t\t\t19\n20\t\t\t20\n1\n1\n2\n3\n4\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18y\n19\n20\n1\t\t\t1\n2\t\t\t2\n3\t\t   |\t3x\n%%5\t\t   <\n%%6\t\t\t6\n7\t\t\t7\n8\t\t\t8\n9\t\t\t9\n10\t\t\t10\n11\t\t\t11\n12\t\t\t12\n13\t\t\t13\n14\t\t\t14\n15\t\t\t15\n16\t\t\t16\n17\t\t\t17\n18\t\t   |\t18y\n%19\t\t\t19\n20\t\t\t20\n\n18y\n19\n20\n3\t\t   |\t3x\n%5\t\t   <\n%18\t\t   |\t18y\n%17\n--- a 18\n18\n+++ b 17\n18y\n19\n20\n1\t\t\t1\n2\t\t\t2\n3\t\t   |\t3x\n%4\t\t\t4\n5\t\t   <\n%2\n1\n2\n3\n4\n'
		]
	],
	'bytes that differ': [
		[
			"mkdir s25; cd s25; { export LC_ALL=C.UTF-8; printf 'bad\\n' >a; printf 'bug\\n' >b; cmp a b; cmp -b a b; cmp -l a b; cmp -bl a b; cmp -s a b; echo $?; LC_ALL=C cmp a b; cmp -n 1 a b; echo $?; cmp -i 2 a b; cmp a b 1 2; cmp a - <a; echo $?; } 2>.e; cat .e",
			'a b differ: byte 2, line 1\na b differ: byte 2, line 1 is 141 a 165 u\n2 141 165\n3 144 147\n2 141 a    165 u\n3 144 d    147 g\n1\na b differ: char 2, line 1\n0\na b differ: byte 1, line 1\na b differ: byte 1, line 1\n0\n'
		],
		[
			"mkdir s26; cd s26; { printf '1\\n' >a; printf '1\\nfoo' >b; printf '1\\nfoolery\\n' >c; : >e; cmp e a; cmp a b; cmp b c; cmp -l b c; printf '\\300\\t\\177\\n' >x; printf '\\n\\001\\200x' >y; cmp -bl x y; } 2>.e; cat .e",
			'1 300 M-@   12 ^J\n2  11 ^I     1 ^A\n3 177 ^?   200 M-^@\n4  12 ^J   170 x\ncmp: EOF on e which is empty\ncmp: EOF on a after byte 2, line 1\ncmp: EOF on b after byte 5, in line 2\ncmp: EOF on b after byte 5\n'
		],
		[
			'mkdir s27; cd s27; { echo >a; cmp; cmp a a 1 2 3; cmp -sl a a; cmp -i x a a; cmp -n 1q a a; cmp --foo; cmp a no; echo $?; cmp -s a no; echo $?; cmp a a 1k; echo $?; } 2>.e; cat .e',
			"2\n2\n1\ncmp: missing operand after 'cmp'\ncmp: Try 'cmp --help' for more information.\ncmp: extra operand '3'\ncmp: Try 'cmp --help' for more information.\ncmp: options -l and -s are incompatible\ncmp: Try 'cmp --help' for more information.\ncmp: invalid --ignore-initial value 'x'\ncmp: Try 'cmp --help' for more information.\ncmp: invalid --bytes value '1q'\ncmp: Try 'cmp --help' for more information.\ncmp: unrecognized option '--foo'\ncmp: Try 'cmp --help' for more information.\ncmp: no: No such file or directory\ncmp: EOF on a which is empty\n"
		]
	]
});
