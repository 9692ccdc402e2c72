//! The progress of a series of games: the next game, skipped games, and whether it is over.
//!
//! It is a fold over the games in the order of their numbers, so it follows from the log alone: a
//! run, a run that continues after a crash, the merging of shards and the verification of a log all
//! make the same of the same games.

use std::cmp::Ordering;

use rules::{GameRecord, Seat};
use standings::{PentanomialCounts, Sprt, SprtDecision};

use crate::conditions::{FaultLimit, SuspectFaults};
use crate::game_status::{
    GameStatus, Totals, broken_rules, culprit, game_status, suspect_seats, who_left,
};
use crate::header::{CommittedSeed, End};
use crate::schedule::Format;
use crate::series::Series;

/// A player is out after this number of games in a row that were given up because of it.
const GIVEN_UP: u64 = 2;

#[derive(Debug, Clone)]
pub struct Progress {
    /// The next game, unless the series is over.
    next: Option<u64>,
    attempt: u32,
    ending: EndCause,
    played: u64,
    skipped: u64,
    given_up: u64,
    /// True if players can be out: not in a shard.
    is_whole: bool,
    fault_share: Option<FaultLimit>,
    players: Vec<PlayerState>,
    test: Option<SequentialTest>,
}

/// The reason why a series does not continue, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndCause {
    None,
    /// A game was void too often.
    Void,
    /// The rules of a custom game failed.
    Rules,
    Left,
}

/// A test of two bots, game by game.
#[derive(Debug, Clone)]
struct SequentialTest {
    sprt: Sprt,
    pairs: PentanomialCounts,
    /// The deal of the first game of a pair, and the half points of the first bot in it.
    first_game: Option<(u64, usize)>,
}

impl SequentialTest {
    fn new(sprt: Sprt) -> SequentialTest {
        SequentialTest { sprt, pairs: PentanomialCounts::default(), first_game: None }
    }

    fn is_decided(&self) -> bool {
        self.sprt.state(&self.pairs).decision != SprtDecision::Continue
    }

    /// Adds a game, and says whether the test is decided by now. A game whose pair was given up
    /// says nothing.
    fn add(&mut self, deal: u64, half_points: usize) -> bool {
        match self.first_game.take() {
            Some((first_deal, first)) if first_deal == deal => {
                self.pairs.0[(first + half_points).min(4)] += 1;
                self.is_decided()
            }
            Some(_) | None => {
                self.first_game = Some((deal, half_points));
                false
            }
        }
    }
}

/// Facts that decide whether a player continues.
#[derive(Debug, Clone, Copy, Default)]
struct PlayerState {
    games: u64,
    faults: u64,
    /// Number of its games given up through it since the last one that counts.
    given_up: u64,
    /// The number of the game after which it was out.
    out_after: Option<u64>,
}

impl PlayerState {
    /// Puts the player out after this game where there were too many faults.
    fn judge(&mut self, share: Option<FaultLimit>, game: u64) {
        let too_many = share.is_some_and(|share| share.is_exceeded(self.games, self.faults));
        if self.out_after.is_none() && (too_many || self.given_up >= GIVEN_UP) {
            self.out_after = Some(game);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextGame {
    pub game: u64,
    /// Number of times it was played already.
    pub attempt: u32,
}

impl Progress {
    /// The progress of a series before its first game.
    ///
    /// A shard knows only a part of the games, so no player is out because of them: that is for the
    /// merging of all shards to find. Out are those of whom the blocks before have decided it.
    pub fn new(series: &Series) -> Progress {
        let tournament = series.header().tournament.as_ref();
        let whole = tournament.filter(|line| line.schedule.shard.is_none());
        let mut players = vec![PlayerState::default(); series.header().players.len()];
        let decided = tournament.and_then(|line| line.decided.as_ref());
        for (player, line) in players.iter_mut().zip(&series.header().players) {
            // There is at least one game before a block that knows what was decided.
            let is_out = decided.is_some_and(|decided| decided.out.contains(&line.name));
            player.out_after = is_out.then_some(0);
        }
        let mut progress = Progress {
            next: None,
            attempt: 0,
            ending: EndCause::None,
            played: 0,
            skipped: 0,
            given_up: 0,
            is_whole: whole.is_some(),
            fault_share: whole.and_then(|line| line.disqualify_after),
            players,
            test: whole.and_then(|line| line.sprt).map(SequentialTest::new),
        };
        progress.go_to(series, 0);
        progress
    }

    /// The game that must come next; none where the series is over or had to stop.
    pub fn next(&self) -> Option<NextGame> {
        let game = self.next.filter(|_| self.ending == EndCause::None)?;
        Some(NextGame { game, attempt: self.attempt })
    }

    /// Returns true if the series had to stop because a game was void too often, or the rules of a game
    /// of one's own failed.
    pub fn is_void(&self) -> bool {
        matches!(self.ending, EndCause::Void | EndCause::Rules)
    }

    /// Returns true if the series had to stop because the rules of a custom game failed.
    pub fn has_broken_rules(&self) -> bool {
        matches!(self.ending, EndCause::Rules)
    }

    /// The game at which the series had to stop, as the end of a sentence; it is [void](Progress::is_void).
    pub fn stops_at(&self) -> &'static str {
        match self.ending {
            EndCause::Rules => "a game in which the rules failed",
            EndCause::None | EndCause::Void | EndCause::Left => {
                "a game that stayed void after all replays"
            }
        }
    }

    /// Returns true if every game was played or skipped.
    pub fn is_over(&self) -> bool {
        self.next.is_none()
    }

    /// Returns true if the test of two bots has ended the series.
    pub fn is_decided(&self) -> bool {
        self.test.as_ref().is_some_and(|test| test.is_decided())
    }

    /// Number of games that count.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// Number of games that were skipped because a player was out of the tournament, or because it
    /// was decided.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Number of games that were given up because they were void too often.
    pub fn given_up(&self) -> u64 {
        self.given_up
    }

    /// The number of the game, from 0, after which a player was out of the tournament.
    pub fn out_after(&self, player: usize) -> Option<u64> {
        self.players.get(player)?.out_after
    }

    /// Returns true if a game is skipped, as far as is known by now.
    pub fn skips(&self, series: &Series, game: u64) -> bool {
        let seating = series.seating(game);
        let mut players = seating.players.values().iter();
        players.any(|place| self.players[*place].out_after.is_some_and(|last| last < game))
    }

    /// Adds a game that is the [next](Progress::next), and says what becomes of it.
    pub fn add(&mut self, series: &Series, game: &GameRecord) -> GameStatus {
        let status = game_status(game, series);
        match status {
            GameStatus::Again => self.attempt = self.attempt.saturating_add(1),
            GameStatus::Stops if who_left(game, series).is_some() => self.ending = EndCause::Left,
            GameStatus::Stops if broken_rules(game).is_some() => self.ending = EndCause::Rules,
            GameStatus::Stops => self.ending = EndCause::Void,
            GameStatus::GivenUp => {
                self.give_up(series, game);
                self.go_to(series, game.game + 1);
            }
            GameStatus::Counts => {
                self.count(series, game);
                if self.decides(series, game) {
                    self.next = None;
                    self.skip_the_rest(series);
                } else {
                    self.go_to(series, game.game + 1);
                }
            }
        }
        status
    }

    fn count(&mut self, series: &Series, game: &GameRecord) {
        self.played += 1;
        let faults = game.result.faults();
        let spared = match self.fault_share.map(FaultLimit::suspect) {
            Some(SuspectFaults::Ignored) => suspect_seats(game, &series.times(game.game)),
            Some(SuspectFaults::Counted) | None => Vec::new(),
        };
        for (seat, place) in series.seating(game.game).players.iter() {
            let player = &mut self.players[*place];
            player.given_up = 0;
            // This game says neither that the bot faults nor that it does not.
            if spared.contains(&seat) {
                continue;
            }
            player.games += 1;
            player.faults += u64::from(faults.iter().any(|(out, _)| *out == seat));
            player.judge(self.fault_share, game.game);
        }
    }

    /// A game that was given up counts for no player, and as one with a fault against the player who
    /// was asked when it became void.
    fn give_up(&mut self, series: &Series, game: &GameRecord) {
        self.given_up += 1;
        let players = series.seating(game.game).players;
        let seat = culprit(game).filter(|seat| self.is_whole && players.has(*seat));
        if let Some(player) = seat.and_then(|seat| self.players.get_mut(players[seat])) {
            player.games += 1;
            player.faults += 1;
            player.given_up += 1;
            player.judge(self.fault_share, game.game);
        }
    }

    /// Counts all games that are not over as skipped.
    fn skip_the_rest(&mut self, series: &Series) {
        self.skipped = series.schedule().own_games() - self.played - self.given_up;
    }

    /// Returns true if the test of two bots is decided by this game.
    fn decides(&mut self, series: &Series, game: &GameRecord) -> bool {
        let Some((test, scores)) = self.test.as_mut().zip(game.result.scores()) else {
            return false;
        };
        let seating = series.seating(game.game).players;
        let of = |bot| seating.iter().find(|(_, place)| **place == bot).map(|(seat, _)| seat);
        // A game that was not derived again may say anything of its points.
        let has = |(one, other): &(Seat, Seat)| scores.has(*one) && scores.has(*other);
        let Some((one, other)) = of(0).zip(of(1)).filter(has) else { return false };
        let half_points = match scores[one].cmp(&scores[other]) {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        };
        test.add(game.deal, half_points)
    }

    /// Goes to the first game that is played, from this number on.
    fn go_to(&mut self, series: &Series, game: u64) {
        self.attempt = 0;
        // There may be more games than can be counted one by one.
        if !self.has_a_table(series) {
            self.next = None;
            self.skip_the_rest(series);
            return;
        }
        self.next = series.schedule().own_from(game);
        while let Some(next) = self.next.filter(|next| self.skips(series, *next)) {
            self.skipped += 1;
            self.next = series.schedule().own_from(next + 1);
        }
    }

    /// Returns true if those who are not out can fill a table.
    fn has_a_table(&self, series: &Series) -> bool {
        let is_in = |player: &PlayerState| player.out_after.is_none();
        let left = self.players.iter().filter(|player| is_in(player)).count();
        let tournament = series.header().tournament.as_ref();
        let is_gauntlet = tournament.is_some_and(|it| it.schedule.format == Format::Gauntlet);
        left >= series.seats() && (!is_gauntlet || self.players.first().is_some_and(is_in))
    }
}

/// A series as far as it was played.
#[derive(Debug, Clone)]
pub struct SeriesState {
    pub series: Series,
    pub progress: Progress,
    /// The sums over its games.
    pub totals: Totals,
}

impl SeriesState {
    pub fn new(series: Series) -> SeriesState {
        let (progress, totals) = (Progress::new(&series), Totals::new(&series));
        SeriesState { series, progress, totals }
    }

    /// Adds an attempt at the [next](Progress::next) game, and says what becomes of it.
    pub fn add(&mut self, game: &GameRecord) -> GameStatus {
        let status = self.progress.add(&self.series, game);
        self.totals.add(game, status, &self.series);
        status
    }

    /// The last line of its log, once everything is played.
    pub fn end(&self, seed: &CommittedSeed) -> End {
        End {
            games: self.progress.played(),
            points: self.totals.points(),
            seed: self.series.reveals_seed().then(|| seed.clone()),
        }
    }
}
