#!/usr/bin/env perl
# A program in Perl that sleeps: every decision takes it longer than the clock allows.
use strict;
use warnings;

$| = 1;
while (my $line = <STDIN>) {
    if ($line =~ /"type":"hello"/) {
        print qq({"type":"hello","version":1,"name":"hal"}\n);
    } else {
        sleep 5;
        print qq({"act":"fold"}\n);
    }
}
