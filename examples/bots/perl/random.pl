#!/usr/bin/env perl
# Plays any game: a legal move at random. A start for your own bot.
#
# A bot reads a request from standard input and prints one move. These are its lines:
#
#   arbiter 1          the version of the protocol, always the first line
#   game NAME OPTIONS  the game and its options
#   match ID           a name of this game, the same in all its requests
#   seat S             your seat; seats count from 0 in the order of turns
#   move K             the number of moves before this one in the game
#   time T             milliseconds for this answer
#   seed X             16 hexadecimal digits for your randomness, new in every request
#   retry K            your last answer broke a rule, and this is retry K
#   reason TEXT        the rule that it broke
#   view N             N lines follow: all you can see of the current state, KEY VALUE...
#   history N          N lines follow: the events so far, one per line
#   legal N            N lines follow: legal moves; `legal N more` means that there are others
#   end                the last line; another request may follow
#
# Lines with other keys are skipped, because later versions may add some.
use strict;
use warnings;

# The next request, with a list of lines behind `view`, `history` and `legal`, and else the text
# behind the key; nothing where no other request comes.
sub read_request {
    my %request;
    while (defined(my $line = <STDIN>)) {
        $line =~ s/\s+$//;
        my ($key, $value) = split / /, $line, 2;
        next unless defined $key;
        return \%request if $key eq "end";
        if ($key =~ /^(?:view|history|legal)$/) {
            my ($count) = split / /, $value;
            $request{$key} = [map { my $next = <STDIN>; $next =~ s/\s+$//; $next } 1 .. $count];
        } else {
            $request{$key} = $value;
        }
        if ($key eq "arbiter" && $value ne "1") {
            die "expected version 1 of the protocol, found `$value`\n";
        }
    }
    return;
}

# The move to play.
sub choose {
    my ($request) = @_;
    # YOUR BOT GOES HERE. All your seat knows is in @{$request->{view}} and
    # @{$request->{history}}. If a bot uses only this seed for randomness, it plays the same in a
    # repeated match. The remainder is computed digit by digit, whatever the size of numbers here.
    my @moves = @{$request->{legal}};
    my $chosen = 0;
    $chosen = ($chosen * 16 + hex $_) % @moves for split //, $request->{seed};
    return $moves[$chosen];
}

# A bot that is kept alive gets its next request only after its answer.
$| = 1;
while (my $request = read_request()) {
    print choose($request), "\n";
}
