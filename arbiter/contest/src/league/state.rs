//! Where a league stands, by the lines of its log.

use std::collections::BTreeSet;
use std::fmt;

use rules::{Digest, GameKind};
use serde::Serialize;
use thiserror::Error;

use crate::league::line::{EnterLine, Founding, LeagueLine, OverLine, RoundLine, Why};
use crate::league::version::BotVersion;
use conditions::bot::is_same_name;
use conditions::series::schedule::{Format, Orders, Schedule, ScheduleLine};
use standings::{Entrant, Standings};

/// Where a league stands.
///
/// There is one only with a first line, and every line after it fits those before.
#[derive(Debug, Clone, PartialEq)]
pub struct League {
    founding: Founding,
    kind: GameKind,
    /// The digests of all lines, in their order; there is at least one.
    heads: Vec<Digest>,
    members: Vec<Member>,
    rounds: Vec<Round>,
    next_deal: u64,
}

/// A version of a bot that has entered.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// What the log says of it.
    pub entry: EnterLine,
    /// Whether it plays.
    pub membership: Membership,
}

/// Whether a version of a bot plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Membership {
    /// It plays.
    Active,
    /// It is the newest one, and has left.
    Retired,
    /// A newer version has entered.
    Replaced,
}

impl fmt::Display for Membership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Membership::Active => "active",
            Membership::Retired => "retired",
            Membership::Replaced => "replaced",
        })
    }
}

/// A round that was announced.
#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    /// What the log says of it.
    pub line: RoundLine,
    /// The head of the league's log before that.
    pub after: Digest,
    /// How it ended; none while it is played.
    pub over: Option<OverLine>,
}

/// Why a line does not fit the lines before it; the end of a sentence about the line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Misplaced {
    /// The first line is another one.
    #[error("is not the first line of a league")]
    NotFirst,
    /// The first line comes again.
    #[error("founds the league again")]
    FoundedTwice,
    /// There is no such game.
    #[error("names the game `{0}`, which is not known")]
    Game(String),
    /// A version has another number than is next.
    #[error("enters {found}, expected version {expected}")]
    Version {
        /// What enters.
        found: BotVersion,
        /// The number that is next.
        expected: u32,
    },
    /// Another bot has a name that people would take for the same.
    #[error("enters `{0}`, and `{1}` differs from it in letter case alone")]
    SameName(String, String),
    /// A bot does not play.
    #[error("names {0}, which does not play")]
    NotActive(BotVersion),
    /// A round has another number than is next, or begins before the one before is over.
    #[error("begins round {found}, expected {expected}")]
    Round {
        /// Its number.
        found: u64,
        /// What was expected.
        expected: String,
    },
    /// The deals of a round are not the next.
    #[error("begins with deal {found}, expected deal {expected}")]
    FirstDeal {
        /// The first deal.
        found: u64,
        /// The one that is next.
        expected: u64,
    },
    /// The tables of a round are none.
    #[error("has no such tables: {0}")]
    Tables(String),
    /// A round is over, and its log has no last line.
    #[error("ends round {0} without the head of its log")]
    NoHead(u64),
    /// A round was broken off with a seed to which it is not committed.
    #[error("ends round {0} with another seed than it is committed to")]
    Seed(u64),
    /// A round ends that is not played.
    #[error("ends round {0}, which is not being played")]
    NotPlayed(u64),
}

impl League {
    /// A league by the first line of its log, which has this digest.
    ///
    /// # Errors
    ///
    /// [`Misplaced`]
    pub fn begin(line: LeagueLine, digest: Digest) -> Result<League, Misplaced> {
        let LeagueLine::League(founding) = line else { return Err(Misplaced::NotFirst) };
        let kind = founding.game.parse().map_err(|_| Misplaced::Game(founding.game.clone()))?;
        Ok(League {
            founding,
            kind,
            heads: vec![digest],
            members: Vec::new(),
            rounds: Vec::new(),
            next_deal: 0,
        })
    }

    /// Takes the next line, which has this digest.
    ///
    /// # Errors
    ///
    /// [`Misplaced`], with nothing changed.
    pub fn take(&mut self, line: LeagueLine, digest: Digest) -> Result<(), Misplaced> {
        match line {
            LeagueLine::League(_) => return Err(Misplaced::FoundedTwice),
            LeagueLine::Enter(entry) => self.enter(*entry)?,
            LeagueLine::Retire(bot) => self.retire(bot)?,
            LeagueLine::Round(round) => self.announce(*round)?,
            LeagueLine::Over(over) => self.end(*over)?,
        }
        self.heads.push(digest);
        Ok(())
    }

    /// Whether this bot may enter next.
    ///
    /// # Errors
    ///
    /// [`Misplaced`] where its version is not the next one, or its name is that of another bot but for
    /// letter case.
    pub fn admits(&self, bot: &BotVersion) -> Result<(), Misplaced> {
        let expected = self.next_version(&bot.bot);
        if bot.version != expected {
            return Err(Misplaced::Version { found: bot.clone(), expected });
        }
        let mut names = self.members.iter().map(|member| &member.entry.bot.bot);
        match names.find(|other| **other != bot.bot && is_same_name(other, &bot.bot)) {
            Some(twin) => Err(Misplaced::SameName(bot.bot.clone(), twin.clone())),
            None => Ok(()),
        }
    }

    fn enter(&mut self, entry: EnterLine) -> Result<(), Misplaced> {
        self.admits(&entry.bot)?;
        for member in &mut self.members {
            if member.entry.bot.bot == entry.bot.bot {
                member.membership = Membership::Replaced;
            }
        }
        self.members.push(Member { entry, membership: Membership::Active });
        Ok(())
    }

    fn retire(&mut self, bot: BotVersion) -> Result<(), Misplaced> {
        let Some(member) = self.members.iter_mut().find(|member| member.plays_as(&bot)) else {
            return Err(Misplaced::NotActive(bot));
        };
        member.membership = Membership::Retired;
        Ok(())
    }

    fn announce(&mut self, line: RoundLine) -> Result<(), Misplaced> {
        let next = self.rounds.len() as u64;
        if self.open_round().is_some() || line.round != next {
            let expected = match self.open_round() {
                Some(round) => format!("the end of round {}", round.line.round),
                None => format!("round {next}"),
            };
            return Err(Misplaced::Round { found: line.round, expected });
        }
        if line.first_deal != self.next_deal {
            let (found, expected) = (line.first_deal, self.next_deal);
            return Err(Misplaced::FirstDeal { found, expected });
        }
        if let Some(bot) = line.bots.iter().find(|bot| !self.is_active(bot)) {
            return Err(Misplaced::NotActive(bot.clone()));
        }
        let wrong = |problem: String| Err(Misplaced::Tables(problem));
        if line.bots.iter().collect::<BTreeSet<_>>().len() < line.bots.len() {
            return wrong("a bot is listed twice".to_owned());
        }
        let names_others = |why: &Why| match *why {
            Why::New(bot) | Why::Behind(bot) => bot >= line.bots.len(),
            Why::Uncertain { pair, probability } => {
                pair.iter().any(|bot| *bot >= line.bots.len())
                    || !(0.0..=f64::MAX).contains(&probability)
            }
            Why::LeastMet { pair, .. } => pair.iter().any(|bot| *bot >= line.bots.len()),
        };
        if line.tables.iter().any(|table| names_others(&table.why)) {
            return wrong("a reason names a bot that is not listed".to_owned());
        }
        let schedule = schedule(&line);
        if let Err(problem) =
            Schedule::tournament(&schedule, self.founding.seats, line.bots.len(), [0; 32])
        {
            return wrong(problem.to_string());
        }
        let Some(next_deal) = line.first_deal.checked_add(line.deals) else {
            return wrong("too many deals".to_owned());
        };
        self.next_deal = next_deal;
        self.rounds.push(Round { line, after: self.head(), over: None });
        Ok(())
    }

    fn end(&mut self, over: OverLine) -> Result<(), Misplaced> {
        let open = self.rounds.last_mut().filter(|round| round.over.is_none());
        let Some(round) = open.filter(|round| round.line.round == over.round) else {
            return Err(Misplaced::NotPlayed(over.round));
        };
        match &over.broken {
            None if over.head.is_none() => return Err(Misplaced::NoHead(over.round)),
            Some(broken) if broken.seed.commitment() != round.line.commitment => {
                return Err(Misplaced::Seed(over.round));
            }
            None | Some(_) => round.over = Some(over),
        }
        Ok(())
    }

    /// The game.
    pub fn kind(&self) -> &GameKind {
        &self.kind
    }

    /// How many seats a game has.
    pub fn seats(&self) -> usize {
        self.founding.seats
    }

    /// The digest of the first line of its log.
    pub fn origin(&self) -> Digest {
        self.heads.first().copied().unwrap_or_default()
    }

    /// The digest of the last line of its log.
    pub fn head(&self) -> Digest {
        self.heads.last().copied().unwrap_or_default()
    }

    /// The digests of all lines of its log, in their order: each was its head once.
    pub fn heads(&self) -> &[Digest] {
        &self.heads
    }

    /// All versions of all bots, in the order in which they entered.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The versions that play, with their places among all.
    pub fn active(&self) -> impl Iterator<Item = (Entrant, &Member)> {
        let members = self.members.iter().enumerate().map(|(place, it)| (Entrant(place), it));
        members.filter(|(_, member)| member.membership == Membership::Active)
    }

    /// The standings of the versions that play, from those of all.
    pub fn active_in(&self, all: &Standings) -> Standings {
        let active: BTreeSet<String> =
            self.active().map(|(_, member)| member.entry.bot.to_string()).collect();
        let is_active = |name: &str| active.contains(name);
        Standings {
            format: all.format,
            all: all.all.of_some(&is_active),
            without_forfeits: all.without_forfeits.of_some(&is_active),
        }
    }

    /// The place of a version among all.
    pub fn entrant(&self, bot: &BotVersion) -> Option<Entrant> {
        self.members.iter().position(|member| member.entry.bot == *bot).map(Entrant)
    }

    /// The newest version of a bot.
    pub fn newest(&self, name: &str) -> Option<&Member> {
        self.members.iter().rev().find(|member| member.entry.bot.bot == name)
    }

    /// The number of the next version of a bot.
    pub fn next_version(&self, name: &str) -> u32 {
        self.newest(name).map_or(1, |member| member.entry.bot.version + 1)
    }

    fn is_active(&self, bot: &BotVersion) -> bool {
        self.members.iter().any(|member| member.plays_as(bot))
    }

    /// All rounds that were announced.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// The round that is being played, or was broken off.
    pub fn open_round(&self) -> Option<&Round> {
        self.rounds.last().filter(|round| round.over.is_none())
    }

    /// The number of the first deal of the next round.
    pub fn next_deal(&self) -> u64 {
        self.next_deal
    }

    /// How many games count in the rounds that are over.
    pub fn games(&self) -> u64 {
        self.rounds.iter().filter_map(|round| Some(round.over.as_ref()?.games)).sum()
    }
}

impl Member {
    fn plays_as(&self, bot: &BotVersion) -> bool {
        self.entry.bot == *bot && self.membership == Membership::Active
    }
}

/// The schedule of a round.
pub fn schedule(line: &RoundLine) -> ScheduleLine {
    ScheduleLine {
        format: Format::Listed,
        orders: Orders::Rotations,
        deals: line.deals,
        tables: None,
        listed: line.tables.iter().map(|table| table.bots.clone()).collect(),
        shard: None,
        block: None,
        first_deal: line.first_deal,
    }
}
