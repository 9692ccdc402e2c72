//! Corrections of a league: games that no longer count, and why.
//!
//! Nothing is deleted. The games of a round stay in its log and are verified for ever; a later line of the league's log
//! says that some of them are void, and another one may reinstate them. So there are two results, and anybody can
//! compute both: as played, and as corrected.
//!
//! Each is a line of the league's log. The deadline itself is no part of the log, so nothing in a verification depends
//! on exceptions: they say who was treated differently.

use std::collections::BTreeSet;

use bot::is_name;
use jiff::Timestamp;
use rules::Digest;
use serde::Serialize;
use serde_json::{Value, json};
use text::failure::Failure;
use text::printable;

use crate::calendar::Calendar;
use crate::line::{ExceptionLine, LONGEST_REASON, RoundLine, VoidLine};
use crate::version::BotVersion;

/// Most ranges of games in words.
const MOST_RANGES: usize = 10;

/// Games that are void by one line of the log, unless they were reinstated.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction {
    pub line: VoidLine,
    pub digest: Digest,
    /// Number of rounds that were over before it.
    rounds: u64,
    /// Reason why the games count again; none while they are void.
    pub reinstated: Option<String>,
    /// How far they are played again.
    pub replays: ReplayState,
}

/// How far void games are played again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReplayState {
    /// Rounds that have played some of them again, or are playing them.
    pub rounds: BTreeSet<u64>,
    /// Number of games that wait to be played again.
    pub waiting: u64,
}

impl Correction {
    pub(crate) fn new(line: VoidLine, digest: Digest, rounds: u64) -> Correction {
        Correction { line, digest, rounds, reinstated: None, replays: ReplayState::default() }
    }

    /// Returns true if it leaves out this game of a round, in which these bots play.
    pub fn covers(&self, round: u64, game: u64, bots: &[&BotVersion]) -> bool {
        let VoidLine { round: of, games, bot, .. } = &self.line;
        self.reinstated.is_none()
            && round < self.rounds
            && of.is_none_or(|of| of == round)
            && (games.is_empty() || games.binary_search(&game).is_ok())
            && bot.as_ref().is_none_or(|bot| bots.contains(&bot))
    }

    /// Returns true if exactly this number of rounds had ended before it.
    pub fn is_of_first(&self, rounds: u64) -> bool {
        self.rounds == rounds
    }

    /// Returns true if it leaves out games of this round.
    pub fn concerns(&self, round: &RoundLine) -> bool {
        self.reinstated.is_none()
            && round.round < self.rounds
            && self.line.round.is_none_or(|of| of == round.round)
            && self.line.bot.as_ref().is_none_or(|bot| round.bots.contains(bot))
    }

    pub fn games_in_words(&self) -> String {
        let VoidLine { round, games, bot, .. } = &self.line;
        let of_bot = bot.as_ref().map_or_else(String::new, |bot| format!(" of {bot}"));
        let games = format!("{}{of_bot}", games_in_words(games));
        match (round, self.rounds) {
            (Some(round), _) => format!("{games} in round {round}"),
            (None, 1) => format!("{games} in round 0"),
            (None, rounds) => format!("{games} in rounds 0 to {}", rounds.saturating_sub(1)),
        }
    }

    /// Returns the correction in a sentence, for people.
    pub fn in_words(&self) -> String {
        let (games, reason) = (self.games_in_words(), printable(&self.line.reason));
        match &self.reinstated {
            Some(again) => format!("{games}: void ({reason}), reinstated ({})", printable(again)),
            None => format!("{games}: void ({reason}){}", self.replays.in_words()),
        }
    }
}

impl ReplayState {
    fn in_words(&self) -> String {
        let rounds = self.rounds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let replayed = match self.rounds.len() {
            0 => String::new(),
            1 => format!(", replayed in round {rounds}"),
            _ => format!(", replayed in rounds {rounds}"),
        };
        match self.waiting {
            0 => replayed,
            waiting => {
                format!("{replayed}, {} to be replayed", text::counted(waiting, "game", "games"))
            }
        }
    }
}

/// Returns games of a round in words; all of them, if none is named.
pub(crate) fn games_in_words(games: &[u64]) -> String {
    match games {
        [] => "all games".to_owned(),
        [one] => format!("game {one}"),
        many => format!("games {}", ranges(many)),
    }
}

/// All corrections of a league, in the order of their lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Corrections {
    all: Vec<Correction>,
    /// Rounds without which the league is seen: those that play void games again, of a league as played.
    left_out: BTreeSet<u64>,
}

impl Corrections {
    /// Returns all of them, also those that were taken back.
    pub fn all(&self) -> &[Correction] {
        &self.all
    }

    /// Returns them as values for programs.
    pub fn views(&self) -> impl Iterator<Item = Value> {
        self.all.iter().enumerate().map(|(number, it)| {
            json!({
                // From 0, as `reinstate` takes it.
                "correction": number,
                "round": it.line.round,
                "games": it.line.games,
                "bot": it.line.bot,
                "reason": it.line.reason,
                "digest": it.digest,
                "reinstated": it.reinstated,
                "replayed_in": it.replays.rounds,
                "to_replay": it.replays.waiting,
            })
        })
    }

    pub fn of_game(&self, round: u64, game: u64, bots: &[&BotVersion]) -> Option<&Correction> {
        self.all.iter().find(|it| it.covers(round, game, bots))
    }

    /// Returns true if this game of a round counts.
    pub fn counts(&self, round: u64, game: u64, bots: &[&BotVersion]) -> bool {
        !self.left_out.contains(&round) && self.of_game(round, game, bots).is_none()
    }

    pub fn of_round<'a>(&'a self, round: &'a RoundLine) -> impl Iterator<Item = &'a Correction> {
        self.all.iter().filter(|it| it.concerns(round))
    }

    /// Returns a digest of which games count, for a league with this first line: that line's own while all games count.
    pub fn digest(&self, origin: Digest) -> Digest {
        let active = self.all.iter().filter(|it| it.reinstated.is_none());
        active
            .fold(origin, |so_far, it| Digest::hash(&[so_far.bytes(), it.digest.bytes()].concat()))
    }

    /// Returns none, without the games of these rounds, which only stand for others.
    pub(crate) fn none_without(left_out: BTreeSet<u64>) -> Corrections {
        Corrections { all: Vec::new(), left_out }
    }

    /// Notes how far the games of each are played again.
    pub(crate) fn note_replays(&mut self, state: &dyn Fn(&Correction) -> ReplayState) {
        for it in &mut self.all {
            it.replays = state(it);
        }
    }

    pub(crate) fn add(&mut self, correction: Correction) {
        self.all.push(correction);
    }

    /// Takes the correction with this line back.
    pub(crate) fn reinstate(&mut self, digest: Digest, why: String) -> Result<(), String> {
        check_reason(&why)?;
        let wrong = |problem: &str| Err(problem.to_owned());
        match self.all.iter_mut().find(|it| it.digest == digest) {
            None => wrong("it reinstates games that no line declares void"),
            Some(it) if it.reinstated.is_some() => wrong("it reinstates games that already count"),
            Some(it) => {
                it.reinstated = Some(why);
                Ok(())
            }
        }
    }
}

/// Returns numbers in order as ranges, at most ten of them.
fn ranges(numbers: &[u64]) -> String {
    let mut found: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => found.push((*number, *number)),
        }
    }
    let shown = found.iter().take(MOST_RANGES).map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    match found.len() > MOST_RANGES {
        true => format!("{shown} and others, {} in all", numbers.len()),
        false => shown,
    }
}

/// Checks that a reason has 1 to [`LONGEST_REASON`] characters.
pub(crate) fn check_reason(reason: &str) -> Result<(), String> {
    let length = reason.chars().count();
    match (1..=LONGEST_REASON).contains(&length) {
        true => Ok(()),
        false => Err(format!("its reason has {length} characters, expected 1 to {LONGEST_REASON}")),
    }
}

/// Returns the first of these games of a round in which a bot does not play.
pub(crate) fn game_without(
    line: &RoundLine,
    seats: usize,
    games: &[u64],
    bot: &BotVersion,
) -> Option<u64> {
    let plays = |game: u64| line.bots_of(line.place_of(game, seats).1).contains(&bot);
    games.iter().copied().find(|game| !plays(*game))
}

/// Returns the reason of an organiser in one line.
///
/// # Errors
///
/// [`Failure::Usage`] if it is empty or longer than [`LONGEST_REASON`] characters.
pub fn reason_in_line(reason: &str) -> Result<String, Failure> {
    let reason = printable(reason.trim());
    let length = reason.chars().count();
    match check_reason(&reason) {
        Ok(()) => Ok(reason),
        Err(_) => Err(Failure::Usage(format!(
            "the reason has {length} characters: use 1 to {LONGEST_REASON}"
        ))),
    }
}

impl ExceptionLine {
    /// Returns an own deadline.
    pub fn until(participant: &str, until: Timestamp, reason: String) -> ExceptionLine {
        let (until, accepted) = (Some(until.as_second()), None);
        ExceptionLine { participant: participant.to_owned(), until, accepted, reason }
    }

    /// Returns the acceptance of a late submission.
    pub fn accepted(participant: &str, number: u64, reason: String) -> ExceptionLine {
        let (until, accepted) = (None, Some(number));
        ExceptionLine { participant: participant.to_owned(), until, accepted, reason }
    }

    /// Returns the exception in a sentence, for people.
    pub fn in_words(&self, calendar: &Calendar) -> String {
        let (name, reason) = (&self.participant, printable(&self.reason));
        match (self.deadline(), self.accepted) {
            (Some(until), _) => {
                format!("{name}: deadline extended to {} ({reason})", calendar.time_text(until))
            }
            (None, Some(number)) => format!("{name}: late submission {number} accepted ({reason})"),
            (None, None) => format!("{name}: {reason}"),
        }
    }

    fn deadline(&self) -> Option<Timestamp> {
        Timestamp::from_second(self.until?).ok()
    }
}

/// All exceptions of a league, in the order of their lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exceptions {
    all: Vec<ExceptionLine>,
}

impl Exceptions {
    pub fn all(&self) -> &[ExceptionLine] {
        &self.all
    }

    pub fn of_participant<'a>(
        &'a self,
        participant: &'a str,
    ) -> impl Iterator<Item = &'a ExceptionLine> {
        self.all.iter().filter(move |it| it.participant == participant)
    }

    /// Returns the own deadline of a participant: the last one that was set.
    pub fn deadline(&self, participant: &str) -> Option<Timestamp> {
        self.of_participant(participant).filter_map(ExceptionLine::deadline).last()
    }

    /// Returns them as values for programs, with all keys.
    pub fn views(&self) -> impl Iterator<Item = Value> {
        self.all.iter().map(|it| {
            json!({
                "participant": it.participant,
                "until": it.deadline().map(|until| until.to_string()),
                "accepted": it.accepted,
                "reason": it.reason,
            })
        })
    }

    pub(crate) fn add(&mut self, line: ExceptionLine) -> Result<(), String> {
        check_reason(&line.reason)?;
        if !is_name(&line.participant) {
            return Err("its participant has no valid name".to_owned());
        }
        let is_time = line.until.is_none_or(|until| Timestamp::from_second(until).is_ok());
        if line.until.is_some() == line.accepted.is_some() || !is_time {
            return Err("it must have either a valid time or a submission, but not both".to_owned());
        }
        self.all.push(line);
        Ok(())
    }
}
