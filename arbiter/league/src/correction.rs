//! Corrections of a league: games that no longer count, and why.
//!
//! Nothing is deleted. The games of a round stay in its log and are verified for ever; a later line of the league's log
//! says that some of them are void, and another one may reinstate them. So there are two results, and anybody can
//! compute both: as played, and as corrected.

use std::collections::{BTreeMap, BTreeSet};

use rules::Digest;
use serde::Serialize;
use text::printable;

use crate::line::{LONGEST_REASON, PairingReason, RoundLine, VoidLine};
use crate::version::BotVersion;
use series::schedule::Schedule;

/// Games that are void by one line of the log, unless they were reinstated.
#[derive(Debug, Clone, PartialEq)]
pub struct Correction {
    /// The line.
    pub line: VoidLine,
    /// Its digest.
    pub digest: Digest,
    /// Number of rounds that were over before it.
    rounds: u64,
    /// Reason why the games count again; none while they are void.
    pub reinstated: Option<String>,
    /// Rounds whose void games were replayed, or are being replayed.
    replayed: BTreeSet<u64>,
}

impl Correction {
    pub(crate) fn new(line: VoidLine, digest: Digest, rounds: u64) -> Correction {
        Correction { line, digest, rounds, reinstated: None, replayed: BTreeSet::new() }
    }

    /// Returns true if it leaves out this game of a round, in which these bots play.
    pub fn covers(&self, round: u64, game: u64, bots: &[&BotVersion]) -> bool {
        let VoidLine { round: of, games, bot, .. } = &self.line;
        self.reinstated.is_none()
            && round < self.rounds
            && of.is_none_or(|of| of == round)
            && (games.is_empty() || games.contains(&game))
            && bot.as_ref().is_none_or(|bot| bots.contains(&bot))
    }

    /// Returns true if it leaves out games of this round.
    pub fn concerns(&self, round: &RoundLine) -> bool {
        self.reinstated.is_none()
            && round.round < self.rounds
            && self.line.round.is_none_or(|of| of == round.round)
            && self.line.bot.as_ref().is_none_or(|bot| round.bots.contains(bot))
    }

    /// Returns what it leaves out, in words.
    pub fn games_in_words(&self) -> String {
        let VoidLine { round, games, bot, .. } = &self.line;
        let games = match (games.as_slice(), bot) {
            ([], Some(bot)) => format!("the games of {bot}"),
            ([], None) => "all games".to_owned(),
            ([one], _) => format!("game {one}"),
            (many, _) => {
                let many: Vec<String> = many.iter().map(u64::to_string).collect();
                format!("games {}", many.join(", "))
            }
        };
        match (round, self.rounds.checked_sub(1)) {
            (Some(round), _) => format!("{games} in round {round}"),
            (None, Some(last)) => format!("{games} in rounds 0 to {last}"),
            (None, None) => games,
        }
    }

    /// Returns the correction in a sentence, for people.
    pub fn in_words(&self) -> String {
        let VoidLine { reason, replay, .. } = &self.line;
        let (games, reason) = (self.games_in_words(), printable(reason));
        match (&self.reinstated, replay) {
            (Some(again), _) => {
                format!("{games}: void ({reason}), reinstated ({})", printable(again))
            }
            (None, true) if self.replayed.is_empty() => {
                format!("{games}: void, to be replayed ({reason})")
            }
            (None, true) => format!("{games}: void and replayed ({reason})"),
            (None, false) => format!("{games}: void ({reason})"),
        }
    }
}

/// A table that is played again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedTable {
    /// Its bots, in the order of the table.
    pub bots: Vec<BotVersion>,
    /// Number of its deals with a void game.
    pub deals: u64,
}

/// The tables of a round with games that are void and not replayed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingReplay {
    /// The number of the round.
    pub round: u64,
    /// The tables, in the order of the round.
    pub tables: Vec<ReplayedTable>,
}

/// All corrections of a league, in the order of their lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Corrections {
    all: Vec<Correction>,
}

/// The number of a correction and its state, for programs.
#[derive(Debug, Serialize)]
pub struct CorrectionView<'a> {
    /// Its number, from 0, as `reinstate` takes it.
    pub correction: usize,
    round: Option<u64>,
    games: &'a [u64],
    bot: Option<&'a BotVersion>,
    reason: &'a str,
    replay: bool,
    /// Digest of its line.
    digest: Digest,
    /// The reason why the games count again.
    reinstated: Option<&'a str>,
}

impl Corrections {
    /// Returns all of them, also those that were taken back.
    pub fn all(&self) -> &[Correction] {
        &self.all
    }

    /// Returns them as values for programs.
    pub fn views(&self) -> impl Iterator<Item = CorrectionView<'_>> {
        self.all.iter().enumerate().map(|(correction, it)| CorrectionView {
            correction,
            round: it.line.round,
            games: &it.line.games,
            bot: it.line.bot.as_ref(),
            reason: &it.line.reason,
            replay: it.line.replay,
            digest: it.digest,
            reinstated: it.reinstated.as_deref(),
        })
    }

    /// Returns the correction by which this game of a round is void, if there is one.
    pub fn of_game(&self, round: u64, game: u64, bots: &[&BotVersion]) -> Option<&Correction> {
        self.all.iter().find(|it| it.covers(round, game, bots))
    }

    /// Returns those that leave out games of this round.
    pub fn of_round<'a>(&'a self, round: &'a RoundLine) -> impl Iterator<Item = &'a Correction> {
        self.all.iter().filter(|it| it.concerns(round))
    }

    /// Returns a digest of which games count, for a league with this first line: that line's own while all games count.
    pub fn digest(&self, origin: Digest) -> Digest {
        let active = self.all.iter().filter(|it| it.reinstated.is_none());
        active
            .fold(origin, |so_far, it| Digest::hash(&[so_far.bytes(), it.digest.bytes()].concat()))
    }

    pub(crate) fn add(&mut self, correction: Correction) {
        self.all.push(correction);
    }

    /// Takes the correction with this line back.
    pub(crate) fn reinstate(&mut self, digest: Digest, why: String) -> Result<(), String> {
        check_reason(&why)?;
        let wrong = |problem: &str| Err(problem.to_owned());
        match self.all.iter_mut().find(|it| it.digest == digest) {
            None => wrong("it reinstates games that no line makes void"),
            Some(it) if it.reinstated.is_some() => wrong("it reinstates games that count already"),
            Some(it) if !it.replayed.is_empty() => wrong("it reinstates games that were replayed"),
            Some(it) => {
                it.reinstated = Some(why);
                Ok(())
            }
        }
    }

    /// The rounds with games to replay, the earliest first. `rounds` are those of the league, and `may_play` tells which
    /// bots play.
    pub(crate) fn pending(
        &self,
        rounds: &mut dyn Iterator<Item = &RoundLine>,
        seats: usize,
        may_play: &dyn Fn(&BotVersion) -> bool,
    ) -> Vec<PendingReplay> {
        let mut pending = Vec::new();
        for line in rounds.filter(|line| line.stage.is_none()) {
            let number = line.round;
            let wanted: Vec<&Correction> = self
                .of_round(line)
                .filter(|it| it.line.replay && !it.replayed.contains(&number))
                .collect();
            if wanted.is_empty() {
                continue;
            }
            let mut tables = replayed_tables(line, seats, &wanted);
            tables.retain(|table| table.bots.iter().all(may_play));
            if !tables.is_empty() {
                pending.push(PendingReplay { round: number, tables });
            }
        }
        pending
    }

    /// Notes that a round begins which replays games of an earlier one.
    pub(crate) fn begin_replay(&mut self, line: &RoundLine) -> Result<(), String> {
        let Some(of) = replayed_round(line) else { return Ok(()) };
        if line.tables.iter().any(|table| table.why != PairingReason::Replay { round: of }) {
            return Err("only some of its tables are replayed".to_owned());
        }
        let mut found = false;
        for it in &mut self.all {
            let is_pending = it.line.replay
                && it.reinstated.is_none()
                && of < it.rounds
                && it.line.round.is_none_or(|round| round == of);
            if is_pending && it.replayed.insert(of) {
                found = true;
            }
        }
        if found { Ok(()) } else { Err(format!("it replays round {of}, which needs no replay")) }
    }

    /// Notes that such a round was aborted: it is played again.
    pub(crate) fn abort_replay(&mut self, line: &RoundLine) {
        if let Some(of) = replayed_round(line) {
            self.all.iter_mut().for_each(|it| {
                it.replayed.remove(&of);
            });
        }
    }
}

/// Returns the round whose games this one replays, if it does.
pub fn replayed_round(line: &RoundLine) -> Option<u64> {
    line.tables.iter().find_map(|table| match table.why {
        PairingReason::Replay { round } => Some(round),
        _ => None,
    })
}

/// Checks that a reason has 1 to [`LONGEST_REASON`] characters.
pub(crate) fn check_reason(reason: &str) -> Result<(), String> {
    let length = reason.chars().count();
    match (1..=LONGEST_REASON).contains(&length) {
        true => Ok(()),
        false => Err(format!("its reason has {length} characters, expected 1 to {LONGEST_REASON}")),
    }
}

/// Returns the bots at the table of a game of a round, in the order of the table.
pub fn bots_of_game(line: &RoundLine, seats: usize, game: u64) -> Vec<&BotVersion> {
    let Ok(schedule) = Schedule::tournament(&line.schedule(), seats, line.bots.len(), [0; 32])
    else {
        return Vec::new();
    };
    let places = schedule.seating(game).players;
    places.values().iter().filter_map(|place| line.bots.get(*place)).collect()
}

fn replayed_tables(line: &RoundLine, seats: usize, by: &[&Correction]) -> Vec<ReplayedTable> {
    let Ok(schedule) = Schedule::tournament(&line.schedule(), seats, line.bots.len(), [0; 32])
    else {
        return Vec::new();
    };
    let mut deals: BTreeMap<Vec<usize>, BTreeSet<u64>> = BTreeMap::new();
    for game in 0..schedule.games() {
        let seating = schedule.seating(game);
        let mut places: Vec<usize> = seating.players.values().to_vec();
        let bots: Vec<&BotVersion> =
            places.iter().filter_map(|place| line.bots.get(*place)).collect();
        if by.iter().any(|it| it.covers(line.round, game, &bots)) {
            places.sort_unstable();
            deals.entry(places).or_default().insert(seating.deal);
        }
    }
    let table = |bots: &Vec<usize>| {
        let mut places = bots.clone();
        places.sort_unstable();
        let deals = deals.get(&places)?.len() as u64;
        let bots = bots.iter().filter_map(|place| line.bots.get(*place).cloned()).collect();
        Some(ReplayedTable { bots, deals })
    };
    line.tables.iter().filter_map(|it| table(&it.bots)).collect()
}
