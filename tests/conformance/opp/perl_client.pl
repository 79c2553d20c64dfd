#!/usr/bin/perl
# A client that behaves as the 2003 one did: unsigned numbers, death at an unknown id, no second guess.
# usage: perl_client.pl HOST PORT USER PASSWORD HANDS MOVES    (MOVES: digits 0 1 2, played round and round)
use strict;
use warnings;
use IO::Socket::INET;

my ($host, $port, $user, $password, $hands, $moves) = @ARGV;
my @moves = split //, $moves;

my %format = (
    0 => 'NN', 1 => 'NN', 2 => 'NN', 3 => 'NN',
    20 => 'Z*Z*NZ*', 21 => '', 22 => '', 24 => '',
    30 => 'N', 32 => 'Z*', 33 => '', 42 => 'Z*', 43 => 'Z*', 45 => 'Z*', 46 => 'Z*', 47 => 'N',
    50 => 'N5(Z*NN)*', 51 => 'NZ*', 52 => 'NZ*', 53 => 'N(NN)*', 54 => 'Z*', 57 => 'N4', 60 => '', 61 => '',
);

my $socket = IO::Socket::INET->new(PeerHost => $host, PeerPort => $port) or die "no connection: $@";

sub put_packet {
    my ($id, @data) = @_;
    my $data = pack $format{$id}, @data;
    $socket->syswrite(pack('NN', $id, length $data) . $data);
}

sub get_bytes {
    my ($wanted) = @_;
    my $got = '';
    while (length $got < $wanted) {
        my $read = $socket->sysread(my $piece, $wanted - length $got);
        return undef unless $read;
        $got .= $piece;
    }
    return $got;
}

sub get_packet {
    my $header = get_bytes(8);
    return unless defined $header;
    my ($id, $length) = unpack 'NN', $header;
    my $data = $length ? get_bytes($length) : '';
    die "Protocol error: command $id not recognised\n" unless exists $format{$id};
    return ($id, unpack $format{$id}, $data);
}

put_packet(20, $user, $password, 1, 'Games::Poker::OPP');
my ($verdict) = get_packet();
if ($verdict == 22) { print "badpass\n"; exit 0 }
die "Protocol error: got $verdict from server\n" unless $verdict == 21;

my ($in_game, $seat, $played, $asked, %bankroll) = (0, undef, 0, 0);
while (my ($id, @data) = get_packet()) {
    if ($id == 60) { put_packet(61); next }
    next if $id == 54 || $id == 43;
    next unless $in_game or $id == 50;
    if ($id == 50) {
        $in_game = 1;
        my ($bet, $players, $button, $position, $game, @rows) = @data;
        my @names;
        %bankroll = ();
        while (my ($name, $chips, $face) = splice @rows, 0, 3) { push @names, $name; $bankroll{$name} = $chips }
        die "a hand for somebody who is not in it\n" if $position > -1 and $position > $#names;
        ($seat) = grep { $names[$_] eq $user } 0 .. $#names;
        print join(' ', 'game', map { "$_=$bankroll{$_}" } sort keys %bankroll), "\n";
    }
    elsif ($id == 53) {
        $played++;
        if ($played >= $hands) { put_packet(33); last }
    }
    elsif ($id == 57) {
        no warnings 'uninitialized';    # not dealt in: no seat, which equals seat 0
        if ($data[0] == $seat) {
            put_packet(30, $moves[$asked++ % @moves]);
        }
    }
}
print "played $played asked $asked\n";
