//! Events that a program did not write, because it was killed after their line of the league's log: they are derived from
//! the log at the next start.
//!
//! Lines are looked at from the end of the log back to the last one whose event is there. Older events may never have
//! been written: a league may have begun with a version of the program without them. Where no event is there, none is
//! derived.

use rules::Digest;

use crate::correction::Correction;
use crate::events::{self, LeagueEvent, TimedEvent};
use crate::folder::{LeagueError, LeagueFolder};
use crate::index::LeagueIndex;
use crate::line::{
    ChooseLine, ExceptionLine, LeagueLine, RetireLine, RetireReason, RulesChange, WithdrawLine,
};
use crate::state::League;

/// Adds the events that are missing behind the last one that is there, and returns their number. Those of rounds are added
/// with the index alone, by the program that plays; a bot that was overtaken is no longer known.
///
/// # Errors
///
/// [`LeagueError`] if the log cannot be read.
pub fn add_lost(
    folder: &LeagueFolder,
    league: &League,
    index: Option<&LeagueIndex>,
) -> Result<usize, LeagueError> {
    let Ok(known) = events::known(folder) else { return Ok(0) };
    if known.is_empty() {
        return Ok(0);
    }
    let mut derived = DerivedEvents::default();
    folder.each_line(&mut |line, digest| derived.take(line, digest))?;
    let mut lost = Vec::new();
    let is_there = |event: &LeagueEvent| known.iter().any(|known| known.is_same(event));
    for TimedEvent { at, event, .. } in derived.all.into_iter().rev() {
        match (&event, index) {
            _ if is_there(&event) => {
                lost.reverse();
                let number = lost.len();
                lost.into_iter().for_each(|event| events::add_at(folder, event));
                return Ok(number);
            }
            (LeagueEvent::Round { .. }, None) => {}
            (LeagueEvent::Round { round, games, .. }, Some(index)) => {
                let of_round = events::of_round(league, index, *round, *games).into_iter().rev();
                lost.extend(of_round.map(|event| TimedEvent { at, event, member: None }));
            }
            _ => lost.push(TimedEvent { at, event, member: None }),
        }
    }
    Ok(0)
}

/// The events that follow from the lines of a log.
#[derive(Default)]
struct DerivedEvents {
    all: Vec<TimedEvent>,
    /// The time of the next line, or 0 if the log does not have it.
    at: i64,
    /// Number of rounds that were announced, and of those that were over.
    announced: u64,
    over: u64,
    /// The lines that made games void, with these games in words.
    void: Vec<(Digest, String)>,
}

impl DerivedEvents {
    fn take(&mut self, line: LeagueLine, digest: Digest) {
        // Later lines may have been written without a time, after the calendar had a freeze.
        let at = std::mem::take(&mut self.at);
        let event = match line {
            LeagueLine::Time(at) => {
                self.at = at;
                return;
            }
            LeagueLine::Enter(line) => LeagueEvent::Entered(line.bot),
            LeagueLine::Retire(RetireLine::Reason(RetireReason { bot, reason, disqualified })) => {
                LeagueEvent::Left { bot, reason, disqualified }
            }
            LeagueLine::Choose(ChooseLine { bot, reason }) => LeagueEvent::Chosen { bot, reason },
            LeagueLine::Exception(ExceptionLine { participant, until, accepted, reason }) => {
                match (until, accepted) {
                    (Some(until), _) => LeagueEvent::Extended { participant, until, reason },
                    (None, Some(number)) => LeagueEvent::Accepted { participant, number, reason },
                    (None, None) => return,
                }
            }
            LeagueLine::Withdraw(WithdrawLine { stage, bot, reason }) => {
                LeagueEvent::Withdrawn { bot, stage, reason }
            }
            LeagueLine::Void(line) => {
                let reason = line.reason.clone();
                let games = Correction::new(line, digest, self.over).games_in_words();
                self.void.push((digest, games.clone()));
                LeagueEvent::Void { games, reason }
            }
            LeagueLine::Reinstate(line) => {
                let void = self.void.iter().find(|(digest, _)| *digest == line.void);
                let Some((_, games)) = void else { return };
                LeagueEvent::Reinstated { games: games.clone(), reason: line.reason }
            }
            LeagueLine::Replay(line) => {
                LeagueEvent::Replay { games: line.games_in_words(), reason: line.reason }
            }
            LeagueLine::Stage(line) => {
                let bots = line.bots.len();
                LeagueEvent::Stage { stage: line.stage, name: line.name, bots }
            }
            LeagueLine::Over(over) => {
                self.over += 1;
                LeagueEvent::Round { round: over.round, games: over.games, first: None }
            }
            LeagueLine::Rules(RulesChange { rules, reason }) => {
                LeagueEvent::Rules { round: self.announced, rules: rules.id.digest, reason }
            }
            LeagueLine::Round(_) => {
                self.announced += 1;
                return;
            }
            LeagueLine::League(_)
            | LeagueLine::Retire(RetireLine::Bot(_))
            | LeagueLine::StageEnded(_) => return,
        };
        self.all.push(TimedEvent { at, event, member: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All lines after the last `time` had its time, however much later they were written.
    #[test]
    fn a_time_is_that_of_the_next_line_alone() {
        let chosen = || {
            let bot = "anna@1".parse().expect("a version");
            LeagueLine::Choose(ChooseLine { bot, reason: None })
        };
        let mut derived = DerivedEvents::default();
        for line in [chosen(), LeagueLine::Time(5), chosen(), chosen(), LeagueLine::Time(7)] {
            derived.take(line, Digest::hash(b"line"));
        }
        let times: Vec<i64> = derived.all.iter().map(|it| it.at).collect();
        assert_eq!(times, [0, 5, 0]);
    }
}
