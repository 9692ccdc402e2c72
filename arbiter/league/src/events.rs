//! What has happened in a league, for people who follow it: bots that entered or were refused, rounds that are over,
//! bots that were overtaken or forfeited games.
//!
//! The file `events.jsonl` has a line for each event. It is no part of the proof, and nothing reads it but feeds and
//! `arbiter league events`. An event that cannot be written is lost: no game fails for it.

use std::io;

use jiff::Timestamp;
use rules::Digest;
use serde::{Deserialize, Serialize};

use crate::calendar;
use crate::correction::Correction;
use crate::folder::{LeagueError, LeagueFolder};
use crate::index::LeagueIndex;
use crate::json_files::{JsonLines, StoredLine};
use crate::line::{
    ChooseLine, ExceptionLine, LeagueLine, RetireLine, RoundEndLine, RulesChange, WithdrawLine,
};
use crate::state::League;
use crate::version::BotVersion;
use text::shell::without_folders;
use text::{counted, printable};

const EVENTS: JsonLines = JsonLines { name: "events.jsonl", is_private: false };
/// Most bots that an event in words names as those that have overtaken one.
const MOST_OVERTAKERS: usize = 3;
/// Most forfeits of a bot that are counted for an event.
const MOST_FORFEITS: usize = 10_000;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeagueEvent {
    Entered(BotVersion),
    /// An earlier version of a bot plays again.
    Chosen {
        bot: BotVersion,
        /// Reason of the organiser; none if its author chose it.
        reason: Option<String>,
    },
    /// A participant got a later deadline.
    Extended {
        participant: String,
        /// The deadline, in seconds since 1970.
        until: i64,
        reason: String,
    },
    /// A late submission was accepted.
    Accepted {
        participant: String,
        number: u64,
        reason: String,
    },
    /// A bot was refused, by its name.
    Refused(String),
    Round {
        /// Its number, from 0.
        round: u64,
        /// Number of games that count.
        games: u64,
        /// The first bot in the standings after it.
        first: Option<BotVersion>,
    },
    Stage {
        /// Its number, from 0.
        stage: u64,
        name: String,
        bots: usize,
    },
    Rules {
        /// The number of the first round by these rules, from 0.
        round: u64,
        rules: Digest,
        reason: String,
    },
    /// Games no longer count.
    Void {
        games: String,
        reason: String,
    },
    /// Void games count again.
    Reinstated {
        games: String,
        reason: String,
    },
    /// Void games are to be played again.
    Replay {
        games: String,
        reason: String,
    },
    Left {
        bot: BotVersion,
        reason: String,
        /// True if no later version of it may enter.
        disqualified: bool,
    },
    /// A bot has left a stage, and not the league.
    Withdrawn {
        bot: BotVersion,
        stage: u64,
        reason: String,
    },
    /// Others are before a bot in the standings that were behind it before the last round.
    Overtaken {
        bot: BotVersion,
        by: Vec<BotVersion>,
        rank: usize,
    },
    /// A bot has forfeited games of a round.
    Forfeited {
        bot: BotVersion,
        /// The number of the round, from 0.
        round: u64,
        /// Number of games that it forfeited.
        games: usize,
        /// Number of those that are suspect: the machine may have caused them.
        #[serde(default, skip_serializing_if = "is_zero")]
        suspect: usize,
    },
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedEvent {
    /// The time, in seconds since 1970.
    pub at: i64,
    pub event: LeagueEvent,
    /// The member of a team whose token it came by, for the organiser alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
}

impl TimedEvent {
    /// Returns the event in words, with the member of a team.
    pub fn in_words(&self) -> String {
        let member = self.member.as_ref().map(|member| format!(" (by {})", printable(member)));
        format!("{}{}", self.event.in_words(), member.unwrap_or_default())
    }
}

/// An event that was read, with its place in the file, which no other event has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// The number of bytes before its line.
    pub place: u64,
    pub happened: TimedEvent,
}

impl LeagueEvent {
    /// Returns the name of the bot that it is about, without its version.
    pub fn bot(&self) -> Option<&str> {
        match self {
            LeagueEvent::Entered(bot)
            | LeagueEvent::Chosen { bot, .. }
            | LeagueEvent::Overtaken { bot, .. }
            | LeagueEvent::Left { bot, .. }
            | LeagueEvent::Withdrawn { bot, .. }
            | LeagueEvent::Forfeited { bot, .. } => Some(&bot.bot),
            LeagueEvent::Refused(name)
            | LeagueEvent::Extended { participant: name, .. }
            | LeagueEvent::Accepted { participant: name, .. } => Some(name),
            LeagueEvent::Round { .. }
            | LeagueEvent::Stage { .. }
            | LeagueEvent::Rules { .. }
            | LeagueEvent::Void { .. }
            | LeagueEvent::Replay { .. }
            | LeagueEvent::Reinstated { .. } => None,
        }
    }

    /// The names of all kinds of events, which are their keys in the file.
    pub const KINDS: [&str; 15] = [
        "entered",
        "chosen",
        "extended",
        "accepted",
        "refused",
        "round",
        "stage",
        "rules",
        "void",
        "reinstated",
        "replay",
        "left",
        "withdrawn",
        "overtaken",
        "forfeited",
    ];

    pub fn kind(&self) -> &'static str {
        match self {
            LeagueEvent::Entered(_) => "entered",
            LeagueEvent::Chosen { .. } => "chosen",
            LeagueEvent::Extended { .. } => "extended",
            LeagueEvent::Accepted { .. } => "accepted",
            LeagueEvent::Refused(_) => "refused",
            LeagueEvent::Round { .. } => "round",
            LeagueEvent::Stage { .. } => "stage",
            LeagueEvent::Rules { .. } => "rules",
            LeagueEvent::Void { .. } => "void",
            LeagueEvent::Reinstated { .. } => "reinstated",
            LeagueEvent::Replay { .. } => "replay",
            LeagueEvent::Left { .. } => "left",
            LeagueEvent::Withdrawn { .. } => "withdrawn",
            LeagueEvent::Overtaken { .. } => "overtaken",
            LeagueEvent::Forfeited { .. } => "forfeited",
        }
    }

    pub fn in_words(&self) -> String {
        match self {
            LeagueEvent::Entered(bot) => format!("{bot} has entered"),
            LeagueEvent::Chosen { bot, reason: None } => format!("{bot} was chosen by its author"),
            LeagueEvent::Chosen { bot, reason: Some(reason) } => {
                format!("{bot} was chosen by the organiser: {}", printable(reason))
            }
            LeagueEvent::Extended { participant, until, reason } => {
                let until = Timestamp::from_second(*until).unwrap_or_default();
                format!("{participant}: deadline extended to {until} ({})", printable(reason))
            }
            LeagueEvent::Accepted { participant, number, reason } => {
                format!("{participant}: late submission {number} accepted ({})", printable(reason))
            }
            LeagueEvent::Refused(name) => format!("{name} was rejected"),
            LeagueEvent::Round { round, games, first } => {
                let first = first.as_ref().map_or_else(String::new, |bot| format!(", {bot} leads"));
                format!("round {round} finished after {}{first}", counted(*games, "game", "games"))
            }
            LeagueEvent::Stage { stage, name, bots } => {
                let bots = counted(*bots, "bot", "bots");
                format!("stage {stage} ({}) begins with {bots}", printable(name))
            }
            LeagueEvent::Rules { round, reason, .. } => {
                format!("new rules since round {round}: {}", printable(reason))
            }
            LeagueEvent::Void { games, reason } => {
                format!("{games}: void ({})", printable(reason))
            }
            LeagueEvent::Reinstated { games, reason } => {
                format!("{games}: reinstated ({})", printable(reason))
            }
            LeagueEvent::Replay { games, reason } => {
                format!("{games}: to be replayed ({})", printable(reason))
            }
            LeagueEvent::Left { bot, reason, disqualified } => {
                let how = if *disqualified { "was disqualified" } else { "has left" };
                format!("{bot} {how}: {}", printable(reason))
            }
            LeagueEvent::Withdrawn { bot, stage, reason } => {
                format!("{bot} has left stage {stage}: {}", without_folders(&printable(reason)))
            }
            LeagueEvent::Overtaken { bot, by, rank } => {
                let named = by.len().min(MOST_OVERTAKERS);
                let mut names: Vec<String> = by[..named].iter().map(ToString::to_string).collect();
                if by.len() > named {
                    names.push(format!("{} more", by.len() - named));
                }
                format!("{bot} overtaken by {}, now rank {rank}", names.join(", "))
            }
            LeagueEvent::Forfeited { bot, round, games, suspect } => {
                let games = counted(*games, "game", "games");
                let suspect = suspect_in_words(*suspect as u64).map(|words| format!(", {words}"));
                format!(
                    "{bot} has forfeited {games} in round {round}{}",
                    suspect.unwrap_or_default()
                )
            }
        }
    }

    /// Returns true if both are about the same: reasons, which may be forgotten, and the bot that leads do not count.
    pub(crate) fn is_same(&self, other: &LeagueEvent) -> bool {
        let plain = |event: &LeagueEvent| {
            let mut event = event.clone();
            event.remove_reason();
            if let LeagueEvent::Round { first, .. } = &mut event {
                *first = None;
            }
            event
        };
        plain(self) == plain(other)
    }

    /// Removes the reason; returns false if it has none.
    fn remove_reason(&mut self) -> bool {
        let (LeagueEvent::Left { reason, .. }
        | LeagueEvent::Withdrawn { reason, .. }
        | LeagueEvent::Extended { reason, .. }
        | LeagueEvent::Accepted { reason, .. }
        | LeagueEvent::Void { reason, .. }
        | LeagueEvent::Reinstated { reason, .. }
        | LeagueEvent::Replay { reason, .. }
        | LeagueEvent::Rules { reason, .. }
        | LeagueEvent::Chosen { reason: Some(reason), .. }) = self
        else {
            return false;
        };
        "-".clone_into(reason);
        true
    }
}

/// Says how many forfeits are suspect; none if none are.
pub fn suspect_in_words(suspect: u64) -> Option<String> {
    (suspect > 0).then(|| format!("{suspect} of them suspect: the machine was busy"))
}

/// Adds an event. If the file cannot be written, the event is lost.
pub fn add(folder: &LeagueFolder, event: LeagueEvent) {
    add_of_member(folder, event, None);
}

/// Adds an event that came by the token of this member of a team, if it was one.
pub fn add_of_member(folder: &LeagueFolder, event: LeagueEvent, member: Option<&str>) {
    let (at, member) = (calendar::now().as_second(), member.map(str::to_owned));
    let _ = EVENTS.append(folder, &TimedEvent { at, event, member });
}

/// Adds an event of an earlier time, or of now if that is not known.
fn add_at(folder: &LeagueFolder, mut happened: TimedEvent) {
    if happened.at == 0 {
        happened.at = calendar::now().as_second();
    }
    let _ = EVENTS.append(folder, &happened);
}

/// Returns the last events, the oldest first.
pub(crate) fn last_events(folder: &LeagueFolder) -> io::Result<Vec<LeagueEvent>> {
    let last = EVENTS.last::<TimedEvent>(folder)?;
    Ok(last.into_iter().map(|it| it.entry.event).collect())
}

/// Adds the events of a round that is over; `before` are the bots in the order of the standings before it.
pub fn add_round(
    folder: &LeagueFolder,
    league: &League,
    index: &LeagueIndex,
    over: &RoundEndLine,
    before: &[BotVersion],
) {
    let mut of_round = of_round(league, index, over.round, over.games).into_iter();
    of_round.next().into_iter().for_each(|event| add(folder, event));
    let after = order(league, index);
    for (place, bot) in after.iter().enumerate() {
        let Some(former) = before.iter().position(|it| it == bot) else { continue };
        let was_behind = |other: &&BotVersion| {
            before.iter().position(|it| it == *other).is_some_and(|it| it > former)
        };
        let by: Vec<BotVersion> = after[..place].iter().filter(was_behind).cloned().collect();
        if !by.is_empty() {
            add(folder, LeagueEvent::Overtaken { bot: bot.clone(), by, rank: place + 1 });
        }
    }
    of_round.for_each(|event| add(folder, event));
}

/// Returns the event of a round that is over, and those of bots that forfeited games in it.
pub(crate) fn of_round(
    league: &League,
    index: &LeagueIndex,
    round: u64,
    games: u64,
) -> Vec<LeagueEvent> {
    // Of an earlier round, the standings are gone.
    let is_last = league.rounds().iter().rev().find(|it| it.over.is_some());
    let is_last = is_last.is_some_and(|it| it.line.round == round);
    let first = order(league, index).into_iter().next().filter(|_| is_last);
    let mut events = vec![LeagueEvent::Round { round, games, first }];
    let line = league.rounds().iter().find(|it| it.line.round == round);
    for bot in line.map_or(&[][..], |round| &round.line.bots) {
        let faults = league.entrant(bot).and_then(|it| index.faults(it, None, MOST_FORFEITS).ok());
        let mut faults = faults.unwrap_or_default();
        faults.retain(|fault| fault.game.round == round);
        let (games, suspect) = (faults.len(), faults.iter().filter(|it| it.is_suspect).count());
        if games > 0 {
            events.push(LeagueEvent::Forfeited { bot: bot.clone(), round, games, suspect });
        }
    }
    events
}

/// Returns the bots that play in the order of the standings.
pub fn order(league: &League, index: &LeagueIndex) -> Vec<BotVersion> {
    let standings = league.active_in(&index.standings());
    standings.all.rows.iter().filter_map(|row| row.name.parse().ok()).collect()
}

/// Reads the events from this place in the file on, the oldest first, and the place after the last whole line. Lines
/// that are no events are left out.
///
/// # Errors
///
/// Fails if the file cannot be read; one that is not there has no events.
pub fn read_from(folder: &LeagueFolder, from: u64) -> io::Result<(Vec<StoredEvent>, u64)> {
    let (events, place) = EVENTS.read_from(folder, from)?;
    Ok((events.into_iter().map(StoredEvent::from).collect(), place))
}

/// Returns the last events, the newest first, at most this number; those after `frozen` are left out.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn latest(
    folder: &LeagueFolder,
    most: usize,
    frozen: Option<Timestamp>,
    of: Option<&str>,
) -> io::Result<Vec<StoredEvent>> {
    let mut events: Vec<StoredEvent> =
        EVENTS.last(folder)?.into_iter().map(StoredEvent::from).collect();
    let is_hidden = |it: &TimedEvent| frozen.is_some_and(|frozen| it.at > frozen.as_second());
    events.retain(|it| !is_hidden(&it.happened));
    events.retain(|it| of.is_none_or(|name| it.happened.event.bot() == Some(name)));
    events.reverse();
    events.truncate(most);
    Ok(events)
}

/// Returns the length of the file, in bytes; 0 if it is not there.
pub fn length(folder: &LeagueFolder) -> u64 {
    EVENTS.length(folder)
}

/// Removes the reasons and members of the events of a name, and returns the number of these events. They keep their
/// places, which feeds name.
pub(crate) fn forget(folder: &LeagueFolder, name: &str) -> io::Result<usize> {
    EVENTS.change(folder, |happened: &mut TimedEvent| {
        if happened.event.bot() != Some(name) {
            return false;
        }
        let had_member = happened.member.take().is_some();
        happened.event.remove_reason() || had_member
    })
}

impl From<StoredLine<TimedEvent>> for StoredEvent {
    fn from(StoredLine { place, entry: happened, .. }: StoredLine<TimedEvent>) -> StoredEvent {
        StoredEvent { place, happened }
    }
}

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
    let Ok(known) = last_events(folder) else { return Ok(0) };
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
                lost.into_iter().for_each(|event| add_at(folder, event));
                return Ok(number);
            }
            (LeagueEvent::Round { .. }, None) => {}
            (LeagueEvent::Round { round, games, .. }, Some(index)) => {
                let of_round = of_round(league, index, *round, *games).into_iter().rev();
                lost.extend(of_round.map(|event| TimedEvent { at, event, member: None }));
            }
            _ => lost.push(TimedEvent { at, event, member: None }),
        }
    }
    Ok(0)
}

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
            LeagueLine::Retire(RetireLine::Reason { bot, reason, disqualified }) => {
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
