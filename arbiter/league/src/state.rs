//! The state of a league, from the lines of its log.

mod corrections;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use bot::is_same_name;
use rules::{Digest, GameKind, RulesId};
use serde::Serialize;
use series::schedule::Schedule;
use standings::{Entrant, Standings};
use text::printable;

use crate::correction::{Corrections, Exceptions, check_reason};
use crate::line::{
    ChooseLine, EnterLine, LONGEST_REASON, LeagueHeader, LeagueLine, PairingReason, RetireLine,
    RoundEndLine, RoundLine, RulesChange, TableLine,
};
use crate::replay_line::Replays;
use crate::stage::{Decider, LeavingMode, Stage, StageTable};
use crate::version::BotVersion;

/// The state of a league.
///
/// Every line fits the lines before it, from the first on.
#[derive(Debug, Clone, PartialEq)]
pub struct League {
    founding: LeagueHeader,
    /// The game, by the rules of the next round.
    kind: GameKind,
    later_rules: Vec<RulesPeriod>,
    /// Digests of all lines, in order; there is at least one.
    heads: Vec<Digest>,
    members: Vec<LeagueMember>,
    rounds: Vec<Round>,
    stages: Vec<Stage>,
    corrections: Corrections,
    replays: Replays,
    exceptions: Exceptions,
    next_deal: u64,
    /// True if the last line is a time, which belongs to the next one.
    is_timed: bool,
}

/// A version of a bot that has entered.
#[derive(Debug, Clone, PartialEq)]
pub struct LeagueMember {
    pub entry: EnterLine,
    /// Tells whether it plays.
    pub membership: Membership,
    /// Reason why it left, if the organiser gave one.
    pub left: Option<LeaveReason>,
    /// Its choice, if it plays because it was chosen and not because it entered last.
    pub chosen: Option<ChoiceOrigin>,
}

/// The choice of a version that plays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChoiceOrigin {
    /// Reason of the organiser; none if its author chose it.
    pub reason: Option<String>,
}

impl ChoiceOrigin {
    /// Returns who chose, and why, in words.
    pub fn in_words(&self) -> String {
        match &self.reason {
            None => "chosen by its author".to_owned(),
            Some(reason) => format!("chosen by the organiser: {}", printable(reason)),
        }
    }
}

/// Reason why a bot left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeaveReason {
    /// Reason of the organiser, in one line.
    pub reason: String,
    /// True if no later version of it may enter.
    pub disqualified: bool,
}

/// Tells whether a version of a bot plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Membership {
    /// It plays: the newest version, or the one that was chosen.
    Active,
    /// It played last, and has left.
    Retired,
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesPeriod {
    /// The number of the first round by these rules, which may not have begun yet.
    pub round: u64,
    pub new: RulesChange,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Round {
    pub line: RoundLine,
    /// Head of the league's log before that line, and before its time if it has one.
    pub after: Digest,
    /// The rules that it is played by, if they are not compiled in.
    pub rules: Option<RulesId>,
    /// Its end; none while it is played.
    pub over: Option<RoundEndLine>,
}

impl League {
    /// Begins a league with the first line of its log, which has this digest.
    pub fn begin(line: LeagueLine, digest: Digest) -> Result<League, String> {
        let LeagueLine::League(founding) = line else {
            return Err("is not the first line of a league".to_owned());
        };
        let kind = GameKind::of_log(&founding.game, founding.rules.as_ref());
        let kind =
            kind.map_err(|_| format!("names the game `{}`, which is not known", founding.game))?;
        Ok(League {
            replays: Replays::new(founding.seats),
            founding,
            kind,
            later_rules: Vec::new(),
            heads: vec![digest],
            members: Vec::new(),
            rounds: Vec::new(),
            stages: Vec::new(),
            corrections: Corrections::default(),
            exceptions: Exceptions::default(),
            next_deal: 0,
            is_timed: false,
        })
    }

    /// Adds the next line, which has this digest.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the line, as the end of a sentence about it, with nothing changed.
    pub fn take(&mut self, line: LeagueLine, digest: Digest) -> Result<(), String> {
        let is_time = matches!(line, LeagueLine::Time(_));
        match line {
            LeagueLine::League(_) => return Err("founds the league again".to_owned()),
            LeagueLine::Enter(entry) => self.enter(*entry)?,
            LeagueLine::Retire(line) => self.retire(line)?,
            LeagueLine::Choose(line) => self.choose(line)?,
            LeagueLine::Exception(line) => {
                self.exceptions.add(line).map_err(wrong_correction)?;
            }
            LeagueLine::Withdraw(line) => self.withdraw(line)?,
            LeagueLine::Void(line) => self.void(line, digest)?,
            LeagueLine::Reinstate(line) => self.reinstate(line)?,
            LeagueLine::Replay(line) => self.replay(line)?,
            LeagueLine::Stage(stage) => self.begin_stage(*stage)?,
            LeagueLine::StageEnded(line) => self.end_stage(line)?,
            LeagueLine::Round(round) => self.announce(*round)?,
            LeagueLine::Over(over) => self.end(*over)?,
            LeagueLine::Rules(new) => self.change_rules(new)?,
            LeagueLine::Time(_) => {}
        }
        self.heads.push(digest);
        self.is_timed = is_time;
        Ok(())
    }

    /// Checks that this bot may enter next.
    ///
    /// # Errors
    ///
    /// Fails if its version is not the next one, or its name differs from another bot's only in
    /// letter case.
    pub(crate) fn admits(&self, bot: &BotVersion) -> Result<(), String> {
        let expected = self.next_version(&bot.bot);
        if bot.version != expected {
            return Err(format!("enters {bot}, expected version {expected}"));
        }
        if self.is_disqualified(&bot.bot) {
            return Err(format!("enters `{}`, which is disqualified", bot.bot));
        }
        let mut names = self.members.iter().map(|member| &member.entry.bot.bot);
        match names.find(|other| **other != bot.bot && is_same_name(other, &bot.bot)) {
            Some(twin) => {
                Err(format!("enters `{}`, which differs only in case from `{twin}`", bot.bot))
            }
            None => Ok(()),
        }
    }

    fn enter(&mut self, entry: EnterLine) -> Result<(), String> {
        self.admits(&entry.bot)?;
        self.replace_versions(&entry.bot.bot);
        let (membership, left, chosen) = (Membership::Active, None, None);
        self.members.push(LeagueMember { entry, membership, left, chosen });
        Ok(())
    }

    fn replace_versions(&mut self, name: &str) {
        for member in self.members.iter_mut().filter(|member| member.entry.bot.bot == name) {
            (member.membership, member.chosen) = (Membership::Replaced, None);
        }
    }

    fn retire(&mut self, line: RetireLine) -> Result<(), String> {
        let bot = line.bot();
        // A bot that has left can still be disqualified.
        let is_late = |member: &LeagueMember| {
            matches!(&line, RetireLine::Reason { disqualified: true, .. })
                && member.membership == Membership::Retired
                && member.left.as_ref().is_none_or(|left| !left.disqualified)
        };
        let found = self.members.iter_mut().find(|member| {
            member.entry.bot == *bot && (member.membership == Membership::Active || is_late(member))
        });
        let Some(member) = found else { return Err(not_active(bot)) };
        if let RetireLine::Reason { reason, disqualified, .. } = &line {
            check_reason(reason).map_err(wrong_correction)?;
            let (reason, disqualified) = (reason.clone(), *disqualified);
            member.left = Some(LeaveReason { reason, disqualified });
        }
        member.membership = Membership::Retired;
        let (name, left) = (member.entry.bot.bot.clone(), member.left.clone());
        let how = match &left {
            Some(LeaveReason { disqualified: true, .. }) => LeavingMode::Disqualified,
            _ => LeavingMode::Withdrawn,
        };
        if let Some((stage, seed)) = self.seat_in_stage(&name) {
            stage.leave(seed, how, left.map(|left| left.reason));
        }
        Ok(())
    }

    /// Lets an earlier version play in the place of the one that plays.
    fn choose(&mut self, line: ChooseLine) -> Result<(), String> {
        if let Some(reason) = &line.reason {
            check_reason(reason).map_err(wrong_correction)?;
        }
        let wrong = |problem: &str| Err(wrong_correction(problem));
        let Some(Entrant(place)) = self.entrant(&line.bot) else {
            return wrong("it chooses a version that has not entered");
        };
        match self.current(&line.bot.bot) {
            Some(member) if member.entry.bot == line.bot => {
                return wrong("it chooses the version that already plays");
            }
            Some(member) if member.membership == Membership::Active => {}
            _ => return wrong("it chooses a version of a bot that has left"),
        }
        self.replace_versions(&line.bot.bot);
        let member = &mut self.members[place];
        (member.membership, member.left) = (Membership::Active, None);
        member.chosen = Some(ChoiceOrigin { reason: line.reason });
        Ok(())
    }

    fn announce(&mut self, line: RoundLine) -> Result<(), String> {
        let next = self.rounds.len() as u64;
        if self.open_round().is_some() || line.round != next {
            let expected = match self.open_round() {
                Some(round) => format!("the end of round {}", round.line.round),
                None => format!("round {next}"),
            };
            return Err(format!("begins round {}, expected {expected}", line.round));
        }
        if line.first_deal != self.next_deal {
            let (found, expected) = (line.first_deal, self.next_deal);
            return Err(format!("begins with deal {found}, expected deal {expected}"));
        }
        let open = self.open_stage().map(|stage| stage.line.stage);
        if line.stage != open {
            return Err(format!(
                "begins a round of {}, expected one of {}",
                stage_text(line.stage),
                stage_text(open)
            ));
        }
        let of_stage = self.open_stage().map(|stage| stage_tables(stage, &line)).transpose()?;
        if let Some(bot) = line.bots.iter().find(|bot| open.is_none() && !self.is_active(bot)) {
            return Err(not_active(bot));
        }
        let wrong = |problem: String| Err(wrong_tables(problem));
        if line.bots.iter().collect::<BTreeSet<_>>().len() < line.bots.len() {
            return wrong("a bot is listed twice".to_owned());
        }
        let names_others = |why: &PairingReason| match *why {
            PairingReason::New(bot) | PairingReason::Behind(bot) => bot >= line.bots.len(),
            PairingReason::Uncertain { pair, probability } => {
                pair.iter().any(|bot| *bot >= line.bots.len())
                    || !(0.0..=f64::MAX).contains(&probability)
            }
            PairingReason::LeastMet { pair, .. } => pair.iter().any(|bot| *bot >= line.bots.len()),
            PairingReason::Stage(_) | PairingReason::Decider(_) => open.is_none(),
            PairingReason::Replay { .. } => open.is_some(),
        };
        if line.tables.iter().any(|table| names_others(&table.why)) {
            return wrong("a reason names a bot that is not listed".to_owned());
        }
        let schedule = line.schedule();
        if let Err(problem) =
            Schedule::tournament(&schedule, self.founding.seats, line.bots.len(), [0; 32])
        {
            return wrong(problem);
        }
        let Some(next_deal) = line.first_deal.checked_add(line.deals) else {
            return wrong("too many deals".to_owned());
        };
        self.replays.begin(&line, &self.corrections).map_err(wrong_tables)?;
        self.note_replays();
        if let Some(stage) = self.stages.last_mut()
            && let Some(tables) = of_stage
        {
            stage.announce(line.round, tables, line.deals).map_err(wrong_tables)?;
        }
        self.next_deal = next_deal;
        // Its plan was made before its time was known.
        let before = self.heads.len().saturating_sub(1 + usize::from(self.is_timed));
        let after = self.heads.get(before).copied().unwrap_or_default();
        self.rounds.push(Round { line, after, rules: self.kind.rules_id(), over: None });
        Ok(())
    }

    fn end(&mut self, over: RoundEndLine) -> Result<(), String> {
        let open = self.rounds.last_mut().filter(|round| round.over.is_none());
        let Some(round) = open.filter(|round| round.line.round == over.round) else {
            return Err(format!("ends round {}, which is not being played", over.round));
        };
        match &over.broken {
            None if over.head.is_none() => {
                return Err(format!("ends round {} without the head of its log", over.round));
            }
            Some(broken) if broken.seed.commitment() != round.line.commitment => {
                return Err(format!(
                    "ends round {} with a seed that does not match its commitment",
                    over.round
                ));
            }
            None | Some(_) => {}
        }
        let is_of_stage = round.line.stage.is_some();
        let is_broken = over.broken.is_some();
        let expected = if is_of_stage && !is_broken { round.line.tables.len() } else { 0 };
        if over.results.len() != expected {
            let (round, found) = (over.round, over.results.len());
            return Err(format!(
                "ends round {round} with {found} results of tables, expected {expected}"
            ));
        }
        if let Some(stage) = self.stages.last_mut().filter(|_| is_of_stage) {
            match is_broken {
                true => stage.take_back(),
                false => stage.end(over.results.clone()),
            }
        }
        let number = over.round;
        let aborted = over.broken.as_ref().map(|_| over.games);
        round.over = Some(over);
        if let Some(games) = aborted {
            self.replays.abort(number, games);
            self.note_replays();
        }
        Ok(())
    }

    fn change_rules(&mut self, new: RulesChange) -> Result<(), String> {
        self.kind = self.by_rules(&new)?;
        let round = self.rounds.len() as u64;
        self.later_rules.push(RulesPeriod { round, new });
        Ok(())
    }

    /// Returns the game by other rules, which the next line may name.
    ///
    /// # Errors
    ///
    /// Says what is wrong with them.
    pub(crate) fn by_rules(&self, new: &RulesChange) -> Result<GameKind, String> {
        let wrong = |problem: String| Err(wrong_rules(problem));
        if self.founding.rules.is_none() {
            return wrong(format!("the rules of {} are built in", self.kind));
        }
        if Some(new.rules.id) == self.kind.rules_id() {
            return wrong("the previous line has the same rules".to_owned());
        }
        let (found, expected) = (new.rules.seats, self.founding.seats);
        if found != expected {
            return wrong(format!("they are for {found} seats, expected {expected}"));
        }
        let length = new.reason.chars().count();
        if !(1..=LONGEST_REASON).contains(&length) {
            return wrong(format!(
                "their reason has {length} characters, expected 1 to {LONGEST_REASON}"
            ));
        }
        GameKind::of_log(&self.founding.game, Some(&new.rules)).map_err(wrong_rules)
    }

    /// Returns the league with the rules of its game, if this process has opened them since its log was read.
    pub(crate) fn with_opened_rules(mut self) -> League {
        let opened = |id: RulesId| GameKind::opened(&self.founding.game, id.digest);
        if let Some(kind) = self.kind.rules_id().and_then(opened) {
            self.kind = kind;
        }
        self
    }

    /// Returns the game, by the rules of the next round.
    pub fn kind(&self) -> &GameKind {
        &self.kind
    }

    /// Returns the rules with which the league began, if they are not compiled in.
    pub fn first_rules(&self) -> Option<RulesId> {
        self.founding.rules.map(|line| line.id)
    }

    /// Returns the rules that came later, in order.
    pub fn later_rules(&self) -> &[RulesPeriod] {
        &self.later_rules
    }

    pub fn seats(&self) -> usize {
        self.founding.seats
    }

    /// Returns the digest of the first line of the log.
    pub fn origin(&self) -> Digest {
        self.heads.first().copied().unwrap_or_default()
    }

    /// Returns the digest of the last line of the log.
    pub fn head(&self) -> Digest {
        self.heads.last().copied().unwrap_or_default()
    }

    /// Returns the digests of all lines of the log, in order: each was its head once.
    pub fn heads(&self) -> &[Digest] {
        &self.heads
    }

    /// Returns all versions of all bots, in the order of entry.
    pub fn members(&self) -> &[LeagueMember] {
        &self.members
    }

    /// Returns the versions that play, with their places among all.
    pub fn active(&self) -> impl Iterator<Item = (Entrant, &LeagueMember)> {
        let members = self.members.iter().enumerate().map(|(place, it)| (Entrant(place), it));
        members.filter(|(_, member)| member.membership == Membership::Active)
    }

    /// Returns the standings of the versions that play, out of the standings of all.
    pub fn active_in(&self, all: &Standings) -> Standings {
        let active: BTreeSet<String> =
            self.active().map(|(_, member)| member.entry.bot.to_string()).collect();
        all.of_some(&|name| active.contains(name))
    }

    /// Returns the place of a version among all.
    pub fn entrant(&self, bot: &BotVersion) -> Option<Entrant> {
        self.members.iter().position(|member| member.entry.bot == *bot).map(Entrant)
    }

    /// Returns the newest version of a bot.
    pub fn newest(&self, name: &str) -> Option<&LeagueMember> {
        self.members.iter().rev().find(|member| member.entry.bot.bot == name)
    }

    pub fn next_version(&self, name: &str) -> u32 {
        self.newest(name).map_or(1, |member| member.entry.bot.version + 1)
    }

    /// Returns the version of a bot that plays, or that has left.
    pub fn current(&self, name: &str) -> Option<&LeagueMember> {
        self.members.iter().find(|member| {
            member.entry.bot.bot == name && member.membership != Membership::Replaced
        })
    }

    /// Returns true if no version of the bot with this name may enter.
    pub fn is_disqualified(&self, name: &str) -> bool {
        self.disqualified(name).is_some()
    }

    /// Returns why no version of the bot with this name may enter, if it is disqualified.
    pub fn disqualified(&self, name: &str) -> Option<&LeaveReason> {
        self.current(name)?.left.as_ref().filter(|left| left.disqualified)
    }

    /// Returns true if this version plays.
    pub fn is_active(&self, bot: &BotVersion) -> bool {
        self.members.iter().any(|member| member.plays_as(bot))
    }

    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Returns the announced round that is not over.
    pub fn open_round(&self) -> Option<&Round> {
        self.rounds.last().filter(|round| round.over.is_none())
    }

    /// Returns the number of the first deal of the next round.
    pub fn next_deal(&self) -> u64 {
        self.next_deal
    }

    /// Returns the number of games that count in the finished rounds.
    pub fn games(&self) -> u64 {
        let games = self.rounds.iter().filter_map(|round| Some(round.over.as_ref()?.games));
        games.fold(0, u64::saturating_add)
    }
}

impl LeagueMember {
    fn plays_as(&self, bot: &BotVersion) -> bool {
        self.entry.bot == *bot && self.membership == Membership::Active
    }
}

fn stage_tables(stage: &Stage, line: &RoundLine) -> Result<Vec<StageTable>, String> {
    let seeds: BTreeMap<&BotVersion, usize> = stage.line.bots.iter().zip(0..).collect();
    let seed = |place: usize| line.bots.get(place).and_then(|bot| seeds.get(bot)).copied();
    let seated = |table: &TableLine| -> Option<StageTable> {
        let [one, other] = *table.bots.as_slice() else { return None };
        let (of, decider) = match table.why {
            PairingReason::Stage(of) => (of, None),
            PairingReason::Decider(Decider { r#match, pair }) => (r#match, Some(pair)),
            _ => return None,
        };
        Some(StageTable { bots: [seed(one)?, seed(other)?], of, decider })
    };
    let tables = line.tables.iter().map(seated).collect::<Option<Vec<StageTable>>>();
    tables.ok_or_else(|| wrong_tables("they do not follow the rule of the stage"))
}

fn wrong_correction(problem: impl fmt::Display) -> String {
    format!("has an invalid correction: {problem}")
}

fn wrong_stage(problem: impl fmt::Display) -> String {
    format!("has an invalid stage: {problem}")
}

fn wrong_tables(problem: impl fmt::Display) -> String {
    format!("has invalid tables: {problem}")
}

fn wrong_rules(problem: impl fmt::Display) -> String {
    format!("has invalid rules: {problem}")
}

fn not_active(bot: &BotVersion) -> String {
    format!("names {bot}, which does not play")
}

fn stage_text(stage: Option<u64>) -> String {
    stage.map_or_else(|| "no stage".to_owned(), |stage| format!("stage {stage}"))
}
