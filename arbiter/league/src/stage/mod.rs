//! Stages of a league: rounds whose tables follow from the results of the rounds before, by a written rule.
//!
//! # Theory of operation
//!
//! **A stage is announced by a line in the log** of the league, with its format and its bots in the order of their
//! seeds. The versions are frozen: a bot that enters again meanwhile plays the stage with the version that is listed.
//!
//! **Its rounds are rounds of the league.** While a stage is open there are no others. The line at the end of each has
//! the result of every table, so [`Stage::next`] is a pure function of the log of the league: every reader of the log
//! checks that the tables of each round are those of the rule. A Swiss pairing of many bots takes seconds, so a reader
//! only checks that all bots are in it, each once, and that nobody meets again; `arbiter verify` pairs each round anew.
//! It also computes the results from the games.
//!
//! **A bot may leave a stage**: withdrawn or disqualified by the organiser, or because its files are gone. Its matches
//! that are not over are decided without it, by a rule for each format ([`Leavers`]).
//!
//! **A table is a match of two bots** over some deals, each in both orders of the seats. It goes to the bot with more
//! games won; a drawn game is half of one for each. In a knockout of any kind, a tie goes on with pairs of games on extra deals, a
//! round of the league each, until one bot leads; after the last pair, points decide, then the better seed.

mod knockout;
pub(crate) mod line;
pub mod output;
mod places;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::OnceLock;

use standings::Entrant;
use standings::pairing::knockout::Bracket;
use standings::pairing::swiss::{PlayedRound, PlayedTable};
use standings::pairing::tie_break::{Entry, Meeting, Ranking, ranks};
use standings::pairing::{Outcome, double_elimination, groups, swiss};

use self::knockout::{Elimination, Knockout, KnockoutFormat};
use crate::version::BotVersion;
pub use knockout::{Decision, DecisionCause, Decisions, Leaver, Leavers, LeavingMode};
pub use line::{
    DECIDERS, Decider, ForfeitRule, GroupFormat, MOST_DECIDERS, NextRound, StageFormat, StageLine,
    StageMatch, StageRound, StageTable, TIE_BREAKS, TableResult, usual_rounds,
};
pub use places::{SeparationCause, StagePlace, results};

/// The most games of a round.
const MOST_GAMES: u64 = 1 << 30;

/// A stage, with the results so far.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    pub line: StageLine,
    rounds: Vec<StageRound>,
    /// The next round after those that are over, once somebody has asked for it.
    next: OnceLock<Result<NextRound, String>>,
    /// The seeds of the knockout after groups, once these are over.
    seeds: Option<Vec<usize>>,
    aborted: Option<StageAbort>,
    leavers: Leavers,
}

/// The end of a stage before its last round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageAbort {
    pub reason: Option<String>,
}

/// The most bots of a stage.
pub const MOST_BOTS: usize = Bracket::MOST_BOTS;

impl Stage {
    /// Begins a stage.
    ///
    /// # Errors
    ///
    /// Fails if the format does not fit the number of bots.
    pub fn begin(line: StageLine) -> Result<Stage, String> {
        let bots = line.bots.len();
        if line.bots.iter().map(|bot| &bot.bot).collect::<BTreeSet<_>>().len() < bots {
            return Err("it lists a bot twice".to_owned());
        }
        if line.deals == 0 {
            return Err("it has no deals".to_owned());
        }
        if line.deciders > MOST_DECIDERS {
            let problem = format!("{} extra deals: at most {MOST_DECIDERS}", line.deciders);
            return Err(problem);
        }
        if bots > MOST_BOTS {
            return Err(format!("{bots} bots: at most {MOST_BOTS}"));
        }
        let stage = Stage {
            line,
            rounds: Vec::new(),
            next: OnceLock::new(),
            seeds: None,
            aborted: None,
            leavers: Leavers::default(),
        };
        match &stage.line.format {
            StageFormat::Swiss { rounds } => {
                swiss::StageSize::new(bots, *rounds).map(drop).map_err(|why| why.to_string())?
            }
            StageFormat::Knockout { third } => {
                Bracket::new(&entrants(bots), *third).map(drop).map_err(|why| why.to_string())?;
            }
            StageFormat::DoubleElimination => {
                double_elimination::DoubleEliminationBracket::new(&entrants(bots))
                    .map(drop)
                    .map_err(|why| why.to_string())?;
            }
            StageFormat::Groups(GroupFormat { groups, first, third }) => {
                let drawn =
                    groups::draw(&entrants(bots), *groups).map_err(|why| why.to_string())?;
                let least = drawn.iter().map(Vec::len).min().unwrap_or(0);
                let on = groups.get().saturating_mul(first.get());
                if first.get() > least || on > groups::MOST_SEEDS {
                    let most = groups::MOST_SEEDS;
                    return Err(format!(
                        "{first} qualifiers from each of {groups} groups: at most {most} in all, \
                         and no more than the {least} bots of the smallest group"
                    ));
                }
                Bracket::new(&entrants(on), *third).map(drop).map_err(|why| why.to_string())?;
            }
        }
        let most = match stage.next() {
            Ok(NextRound::Round { tables, .. }) => tables.len() as u64,
            Ok(NextRound::Over) | Err(_) => 0,
        };
        // The first round has the most tables, each in both orders of the seats.
        let games = most.saturating_mul(stage.line.deals).saturating_mul(2);
        if games > MOST_GAMES {
            let problem = format!("its first round has {games} games: at most {MOST_GAMES}");
            return Err(problem);
        }
        Ok(stage)
    }

    /// Returns the decisions of the matches so far.
    pub fn decisions(&self) -> Decisions {
        let mut decisions = Decisions::default();
        for (place, round) in self.rounds.iter().enumerate() {
            for (table, games) in round.played() {
                let is_gone = table.bots.map(|bot| self.leavers.is_gone(bot, place));
                let decision = match (table.of, is_gone) {
                    (of, _) if of.is_of_knockout() => continue,
                    (_, [false, false]) => Decision::by_games(games),
                    (StageMatch::Swiss(_), [one, other]) if one != other => {
                        Decision::by_withdrawal(games, Some(usize::from(one)))
                    }
                    _ => Decision::by_withdrawal(games, None),
                };
                decisions.add(&table, decision);
            }
        }
        if let Some(Ok(knockout)) = self.knockout(self.finished_rounds()) {
            knockout.add_decisions(&mut decisions);
        }
        decisions
    }

    /// Returns the matches of a knockout that were decided without a game, since a bot left.
    pub fn walkovers(&self) -> Vec<StageTable> {
        match self.knockout(self.finished_rounds()) {
            Some(Ok(knockout)) => knockout.walkovers().collect(),
            Some(Err(_)) | None => Vec::new(),
        }
    }

    pub fn leavers(&self) -> &Leavers {
        &self.leavers
    }

    /// The rounds so far.
    pub fn rounds(&self) -> &[StageRound] {
        &self.rounds
    }

    /// Returns the bots that go on in this round without a match: in a Swiss round, in the first round of a knockout, or in
    /// a bracket of a double elimination.
    pub fn byes(&self, round: &StageRound) -> Vec<usize> {
        let Some(table) = round.tables.iter().find(|table| table.of.is_of_knockout()) else {
            return round.bye.into_iter().collect();
        };
        match self.knockout(self.finished_rounds()) {
            Some(Ok(knockout)) if table.decider.is_none() => knockout.byes_beside(table.of),
            _ => Vec::new(),
        }
    }

    /// The version with this seed.
    pub fn bot(&self, seed: usize) -> Option<&BotVersion> {
        self.line.bots.get(seed)
    }

    /// The round that is next by the rule, or that is being played.
    ///
    /// # Errors
    ///
    /// Fails if there is no pairing.
    pub fn next(&self) -> Result<&NextRound, &String> {
        let next = || match &self.aborted {
            Some(_) => Ok(NextRound::Over),
            None => self.next_after(self.finished_rounds()),
        };
        self.next.get_or_init(next).as_ref()
    }

    /// Returns the end of the stage, if the organiser ended it before its last round.
    pub fn aborted(&self) -> Option<&StageAbort> {
        self.aborted.as_ref()
    }

    fn finished_rounds(&self) -> &[StageRound] {
        let unfinished = self.rounds.iter().position(|round| round.results.is_none());
        &self.rounds[..unfinished.unwrap_or(self.rounds.len())]
    }

    fn next_after(&self, finished: &[StageRound]) -> Result<NextRound, String> {
        match &self.line.format {
            StageFormat::Swiss { rounds } => self.next_swiss(*rounds, finished),
            StageFormat::Knockout { .. }
            | StageFormat::DoubleElimination
            | StageFormat::Groups(_) => match self.knockout(finished) {
                Some(knockout) => knockout.map(|it| it.next()),
                None => self.group_tables(),
            },
        }
    }

    /// Returns its knockout after these rounds; none in a Swiss stage, and none before groups are over.
    fn knockout(&self, finished: &[StageRound]) -> Option<Result<Knockout, String>> {
        let StageLine { deals, deciders, .. } = self.line;
        let rule = |elimination: Elimination| KnockoutFormat { elimination, deals, deciders };
        // The next seed moves up for one that left before the first round.
        let of_all = |elimination: Elimination| {
            let seeds = self.bots_before(0).into_iter().collect();
            Some(Knockout::new(seeds, rule(elimination), 0, finished, &self.leavers))
        };
        match &self.line.format {
            StageFormat::Swiss { .. } => None,
            StageFormat::Knockout { third } => of_all(Elimination::Single(*third)),
            StageFormat::DoubleElimination => of_all(Elimination::Double),
            StageFormat::Groups(format) => {
                let (first, later) = finished.split_first()?;
                first.results.as_ref()?;
                let seeds = self.seeds.clone().unwrap_or_default();
                let rule = rule(Elimination::Single(format.third));
                Some(Knockout::new(seeds, rule, 1, later, &self.leavers))
            }
        }
    }

    /// Returns true once its last round is over.
    pub fn is_over(&self) -> bool {
        if self.next.get().is_none()
            && self.aborted.is_none()
            && let StageFormat::Swiss { rounds } = self.line.format
            && self.finished_rounds().len() < rounds
            && let there = self.bots_before(self.finished_rounds().len()).len()
            && there > 1
            && swiss::has_pairing(there, self.finished_rounds().len())
        {
            return false;
        }
        // Without a pairing it does not go on either.
        !matches!(self.next(), Ok(NextRound::Round { .. }))
    }

    /// Adds a round of the league with these tables. Those of a Swiss round may be paired by another rule, unless
    /// [`next`](Stage::next) was asked for them; [`check_pairings`](Stage::check_pairings) tells.
    ///
    /// # Errors
    ///
    /// Fails if the tables are not those of the rule of the stage.
    pub(crate) fn announce(
        &mut self,
        round: u64,
        tables: Vec<StageTable>,
        deals: u64,
    ) -> Result<(), String> {
        let by_other_rule = || "they do not follow the rule of the stage".to_owned();
        let bye = match (self.next.get(), &self.line.format) {
            (None, StageFormat::Swiss { .. }) if !self.is_over() => {
                let bye = self.bye_beside(&tables).filter(|_| deals == self.line.deals);
                bye.ok_or_else(by_other_rule)?
            }
            _ => match self.next() {
                Ok(NextRound::Round { tables: expected, deals: of_rule, bye })
                    if *expected == tables && *of_rule == deals =>
                {
                    *bye
                }
                Ok(NextRound::Round { .. }) => return Err(by_other_rule()),
                Ok(NextRound::Over) => return Err("the stage is over".to_owned()),
                Err(why) => return Err(why.clone()),
            },
        };
        self.rounds.push(StageRound { round, tables, bye, results: None });
        Ok(())
    }

    /// The bots that had not left before this round was announced.
    fn bots_before(&self, round: usize) -> BTreeSet<usize> {
        let left: BTreeSet<usize> = self.leavers.left_before(round).collect();
        (0..self.line.bots.len()).filter(|seed| !left.contains(seed)).collect()
    }

    /// The bot without an opponent in a Swiss round with these tables, if there is one; none where a bot is missing or
    /// seated twice, where two meet again, or where one has its second bye.
    fn bye_beside(&self, tables: &[StageTable]) -> Option<Option<usize>> {
        let of = StageMatch::Swiss(self.rounds.len() + 1);
        let mut left = self.bots_before(self.rounds.len());
        let sorted = |table: &StageTable| {
            let [one, other] = table.bots;
            [one.min(other), one.max(other)]
        };
        let met: BTreeSet<[usize; 2]> =
            self.rounds.iter().flat_map(|round| &round.tables).map(sorted).collect();
        for table in tables {
            let is_new = table.of == of && !met.contains(&sorted(table));
            if !is_new || !table.bots.iter().all(|bot| left.remove(bot)) {
                return None;
            }
        }
        let bye = left.pop_first();
        let had_bye = bye.is_some() && self.rounds.iter().any(|round| round.bye == bye);
        (left.is_empty() && !had_bye).then_some(bye)
    }

    /// Pairs each Swiss round anew.
    ///
    /// # Errors
    ///
    /// The number of the first round of the league whose tables are not those of the rule.
    pub(crate) fn check_pairings(&self) -> Result<(), u64> {
        let StageFormat::Swiss { .. } = self.line.format else { return Ok(()) };
        for (before, round) in self.rounds.iter().enumerate() {
            let Ok(NextRound::Round { tables, bye, .. }) = self.next_after(&self.rounds[..before])
            else {
                return Err(round.round);
            };
            if tables != round.tables || bye != round.bye {
                return Err(round.round);
            }
        }
        Ok(())
    }

    /// Ends its last round with a result for each table.
    pub(crate) fn end(&mut self, results: Vec<TableResult>) {
        if let Some(round) = self.rounds.last_mut() {
            round.results = Some(results);
        }
        self.draw_again();
    }

    /// Takes its last round back, which was aborted, or was over and is void: its tables are played again, unless the stage
    /// was ended.
    pub(crate) fn take_back(&mut self) {
        self.rounds.pop();
        self.leavers.take_back(self.rounds.len());
        self.draw_again();
    }

    /// Takes a bot out of the stage. A round that is being played stays as it is.
    pub(crate) fn leave(&mut self, seed: usize, how: LeavingMode, reason: Option<String>) {
        let (over, announced) = (self.finished_rounds().len(), self.rounds.len());
        self.leavers.add(Leaver { seed, over, announced, how, reason });
        self.draw_again();
    }

    /// Forgets what followed from the results and the bots so far.
    fn draw_again(&mut self) {
        self.next = OnceLock::new();
        // Once the knockout after groups has begun, its seeds are fixed.
        if let StageFormat::Groups(format) = self.line.format
            && self.rounds.len() <= 1
        {
            let is_over = !self.finished_rounds().is_empty();
            self.seeds = is_over.then(|| self.seeds_from_groups(&format).ok()).flatten();
        }
    }

    /// Ends the stage before its last round.
    pub(crate) fn abort(&mut self, reason: Option<String>) {
        self.aborted = Some(StageAbort { reason });
        self.next = OnceLock::new();
    }

    fn next_swiss(&self, rounds: usize, finished: &[StageRound]) -> Result<NextRound, String> {
        let number = finished.len() + 1;
        if number > rounds || self.bots_before(finished.len()).len() < 2 {
            return Ok(NextRound::Over);
        }
        let stage =
            swiss::StageSize::new(self.line.bots.len(), rounds).map_err(|why| why.to_string())?;
        let played = finished.iter().enumerate().map(|(place, it)| self.played_round(place, it));
        let played: Vec<PlayedRound> = played.collect();
        let absent: Vec<Entrant> = self.leavers.left_before(finished.len()).map(Entrant).collect();
        match swiss::pair_without(stage, &played, &absent) {
            Ok(pairing) => {
                let table = |[one, other]: &[Entrant; 2]| StageTable {
                    bots: [one.0, other.0],
                    of: StageMatch::Swiss(number),
                    decider: None,
                };
                let tables = pairing.tables.iter().map(table).collect();
                let deals = self.line.deals;
                Ok(NextRound::Round { tables, deals, bye: pairing.bye.map(|bot| bot.0) })
            }
            Err(why) => Err(why.to_string()),
        }
    }

    /// A finished Swiss round for the pairing of the next: the opponent of a bot that left meanwhile has a walkover.
    fn played_round(&self, place: usize, round: &StageRound) -> PlayedRound {
        let is_there = |bot: &usize| !self.leavers.is_gone(*bot, place);
        let mut told = PlayedRound {
            bye: round.bye.filter(is_there).map(Entrant),
            absent: self.leavers.left_before(place).map(Entrant).collect(),
            ..PlayedRound::default()
        };
        told.absent.extend(round.bye.filter(|bot| !is_there(bot)).map(Entrant));
        for (table, result) in round.played() {
            if table.bots.iter().all(is_there) {
                let [one, other] = table.bots.map(Entrant);
                told.tables.push(PlayedTable { one, other, outcome: result.outcome() });
                continue;
            }
            let (there, gone) = table.bots.into_iter().partition::<Vec<_>, _>(is_there);
            told.walkovers.extend(there.into_iter().map(Entrant));
            told.absent.extend(gone.into_iter().map(Entrant));
        }
        told
    }

    /// The matches of Swiss rounds that count, and the bots that had a bye or a walkover, for each of these.
    fn counted_in_swiss(&self) -> (Vec<(StageTable, TableResult)>, Vec<usize>) {
        let (mut counted, mut unpaired) = (Vec::new(), Vec::new());
        for (place, round) in self.finished_rounds().iter().enumerate() {
            let told = self.played_round(place, round);
            unpaired.extend(told.walkovers.iter().chain(&told.bye).map(|bot| bot.0));
            let is_there = |bot: &usize| !self.leavers.is_gone(*bot, place);
            counted.extend(round.played().filter(|(table, _)| table.bots.iter().all(is_there)));
        }
        (counted, unpaired)
    }

    /// The groups without bots that left before their round; fewer of them if there are too few bots.
    fn drawn_groups(&self, groups: NonZeroUsize) -> Result<Vec<Vec<Entrant>>, String> {
        let bots: Vec<Entrant> = self.bots_before(0).into_iter().map(Entrant).collect();
        let groups = NonZeroUsize::new(bots.len() / 2).map_or(groups, |most| most.min(groups));
        groups::draw(&bots, groups).map_err(|why| why.to_string())
    }

    fn group_tables(&self) -> Result<NextRound, String> {
        let StageFormat::Groups(GroupFormat { groups, .. }) = self.line.format else {
            return Ok(NextRound::Over);
        };
        if self.bots_before(0).len() < 2 {
            return Ok(NextRound::Over);
        }
        let drawn = self.drawn_groups(groups)?;
        let tables = drawn.iter().enumerate().flat_map(|(group, bots)| {
            let of = StageMatch::Group(group + 1);
            let tables = groups::rounds(bots).into_iter().flatten();
            tables.map(move |[one, other]| StageTable { bots: [one.0, other.0], of, decider: None })
        });
        Ok(NextRound::Round { tables: tables.collect(), deals: self.line.deals, bye: None })
    }

    /// The bots of each group in the order of their ranks; the better seed is first where bots are tied. Bots that left
    /// before the end of the groups are out, and their matches do not count.
    fn ranked_groups(&self, groups: NonZeroUsize) -> Result<Vec<RankedGroup>, String> {
        let played: Vec<(StageTable, TableResult)> =
            self.rounds.first().into_iter().flat_map(StageRound::played).collect();
        let is_there = |bot: &usize| !self.leavers.is_gone(*bot, 0);
        let ranked = self.drawn_groups(groups)?.into_iter().enumerate().map(|(group, bots)| {
            let of = StageMatch::Group(group + 1);
            let (bots, left) = bots.into_iter().partition::<Vec<_>, _>(|bot| is_there(&bot.0));
            let counts = |(table, _): &&(StageTable, TableResult)| {
                table.of == of && table.bots.iter().all(is_there)
            };
            let own: Vec<_> = played.iter().filter(counts).copied().collect();
            let ranking = self.ranking(&bots, &own, &[])?;
            Ok(RankedGroup { ranking, played: own, left })
        });
        ranked.collect()
    }

    /// The bots that advance: for one that left since, the next one of its group does.
    fn seeds_from_groups(&self, format: &GroupFormat) -> Result<Vec<usize>, String> {
        let left: BTreeSet<usize> = self.leavers.left_before(1).collect();
        let ranked = self.ranked_groups(format.groups)?.into_iter().map(|group| {
            let bots = group.ranking.places.into_iter().map(|(bot, _)| bot);
            bots.filter(|bot| !left.contains(&bot.0)).collect::<Vec<Entrant>>()
        });
        let bots: Vec<Vec<Entrant>> = ranked.collect();
        let seeds: Vec<Entrant> = match bots.iter().all(|bots| bots.len() >= format.first.get()) {
            true => groups::knockout_seeds(&bots, format.first).map_err(|why| why.to_string())?,
            // In a group that too many have left, fewer advance.
            false => (0..format.first.get())
                .flat_map(|place| bots.iter().filter_map(move |bots| bots.get(place).copied()))
                .collect(),
        };
        Ok(seeds.into_iter().map(|bot| bot.0).collect())
    }

    fn ranking(
        &self,
        bots: &[Entrant],
        played: &[(StageTable, TableResult)],
        byes: &[usize],
    ) -> Result<Ranking, String> {
        let meeting = |(table, result): &(StageTable, TableResult)| Meeting {
            bots: table.bots.map(Entrant),
            outcome: result.outcome(),
            points: result.points.map(rules::Score::sixtieths),
        };
        let meetings: Vec<Meeting> = played.iter().map(meeting).collect();
        let entry = |bot: &Entrant| {
            let rested = byes.iter().filter(|it| **it == bot.0).count();
            Entry {
                bot: *bot,
                score: half_points(*bot, played, byes),
                byes: u16::try_from(rested).unwrap_or(u16::MAX),
            }
        };
        let entries: Vec<Entry> = bots.iter().map(entry).collect();
        ranks(&entries, &meetings, &self.line.tie_breaks).map_err(|why| why.to_string())
    }
}

/// A group with its results so far.
struct RankedGroup {
    ranking: Ranking,
    played: Vec<(StageTable, TableResult)>,
    /// The bots whose matches are void.
    left: Vec<Entrant>,
}

fn entrants(bots: usize) -> Vec<Entrant> {
    (0..bots).map(Entrant).collect()
}

/// The points of a bot from its matches and byes, two for a win.
fn half_points(bot: Entrant, played: &[(StageTable, TableResult)], byes: &[usize]) -> u64 {
    let of_table = |(table, result): &(StageTable, TableResult)| -> u64 {
        let own = table.bots.iter().zip(result.outcome().half_points());
        own.filter(|(seated, _)| **seated == bot.0).map(|(_, points)| u64::from(points)).sum()
    };
    let byes = byes.iter().filter(|it| **it == bot.0).count() as u64;
    played.iter().map(of_table).sum::<u64>() + byes * u64::from(Outcome::WIN)
}
