#!/usr/bin/env perl
# A program in Perl: calls everything, and bets the minimum on the river.
use strict;
use warnings;

$| = 1;
while (my $line = <STDIN>) {
    if ($line =~ /"type":"hello"/) {
        print qq({"type":"hello","version":1,"name":"dan"}\n);
    } elsif ($line =~ /"street":"river"/ && $line =~ /"bet":\[(\d+)/) {
        print qq({"act":"bet","amount":$1}\n);
    } else {
        print $line =~ /"check":true/ ? qq({"act":"check"}\n) : qq({"act":"call"}\n);
    }
}
