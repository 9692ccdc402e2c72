//! The next round of a league: its tables, and its plan as a tournament.

use std::collections::{BTreeMap, BTreeSet};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use rules::{Digest, Seed};
use thiserror::Error;

use crate::line::{PairingReason, RoundLine, TableLine};
use crate::stage::{Decider, NextRound, Stage, StageTable};
use crate::state::{League, Round};
use crate::version::BotVersion;
use bot::BotSpec;
use bot::grants::AskedIsolation;
use bot::limits::AskedLimits;
use contest::tournament::plan::{Entry, Plan, Settings};
use contest::tournament::planned_seed::PlannedSeed;
use series::Conditions;
use series::LeagueRound;
use series::committed_seed::CommittedSeed;
use standings::pairing::{
    self, Candidate, Chosen, Meetings, NoRound, NotSeats, Reason, Strength, Table,
};
use standings::{Entrant, Standings};
use text::failure::Failure;

/// Size of the rounds of a league.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundSize {
    /// Number of deals of a table, each in all rotations of seats.
    pub deals: NonZeroU32,
    /// Most tables of a round; by default as many as there are bots.
    pub tables: Option<NonZeroUsize>,
}

impl RoundSize {
    /// The usual size: ten deals a table.
    pub const DEFAULT: RoundSize =
        RoundSize { deals: NonZeroU32::new(10).expect("not 0"), tables: None };
}

/// Reason why there is no next round; one line.
#[derive(Debug, Error)]
pub enum NextRoundError {
    /// Too few bots are active.
    #[error(
        "{bots} active for {seats} seats: enter one bot for each seat with `arbiter league add`"
    )]
    TooFew {
        /// The number of active bots, in words.
        bots: String,
        /// Number of seats of a game.
        seats: usize,
    },
    /// The choice of tables does not support this number of seats.
    #[error(transparent)]
    Seats(#[from] NotSeats),
    /// The choice of tables fails.
    #[error(transparent)]
    Choice(#[from] NoRound),
    /// A stage does not go on.
    #[error("stage {0} {1}")]
    Stage(u64, String),
}

/// Chooses the next round of a league with these standings, of at most this number of games if there is a
/// bound. `may_play` tells whether an active bot can be started.
///
/// The result follows from the arguments: the head of the league's log decides between equals.
pub fn next_round(
    league: &League,
    standings: &Standings,
    size: RoundSize,
    most_games: Option<NonZeroU64>,
    may_play: &dyn Fn(&BotVersion) -> bool,
    commitment: Digest,
) -> Result<RoundLine, NextRoundError> {
    let played = played(league);
    let playing: Vec<(Entrant, &BotVersion)> = league
        .active()
        .map(|(entrant, member)| (entrant, &member.entry.bot))
        .filter(|(_, bot)| may_play(bot))
        .collect();
    let seats = league.seats();
    if playing.len() < seats {
        let bots = text::counted(playing.len(), "bot", "bots");
        return Err(NextRoundError::TooFew { bots, seats });
    }
    let strengths: Vec<Candidate> = playing
        .iter()
        .map(|(entrant, bot)| Candidate {
            deals: played.deals[entrant.0],
            strength: strength(standings, bot),
        })
        .collect();
    let place = |of: Entrant| playing.iter().position(|(entrant, _)| *entrant == of);
    let meetings = played.meetings(&|entrant| place(entrant).map(Entrant))?;
    let (tables, deals) = bounded(size, playing.len(), seats, most_games);
    let round = pairing::Round {
        number: league.rounds().len() as u64,
        seats: seats.try_into()?,
        tables,
        deals,
    };
    let seed = Seed(league.head().bytes());
    let chosen = pairing::choose(&strengths, &meetings, &round, &seed)?;
    Ok(line(league, &playing, &chosen, deals, commitment))
}

/// Returns the number of tables and deals of a round.
fn bounded(
    size: RoundSize,
    bots: usize,
    seats: usize,
    most_games: Option<NonZeroU64>,
) -> (NonZeroUsize, NonZeroU32) {
    let possible = combinations(bots, seats);
    let wanted = size.tables.map_or(bots, NonZeroUsize::get).min(possible).max(1);
    let Some(most) = most_games else {
        return (NonZeroUsize::new(wanted).unwrap_or(NonZeroUsize::MIN), size.deals);
    };
    // A table needs at least one deal, in all rotations.
    let of_deals = most.get().div_ceil(seats as u64).max(1);
    let tables = u64::try_from(wanted).unwrap_or(u64::MAX).min(of_deals);
    let deals = of_deals.div_ceil(tables).min(u64::from(size.deals.get()));
    let tables = usize::try_from(tables).unwrap_or(1);
    let deals = u32::try_from(deals).unwrap_or(1);
    (
        NonZeroUsize::new(tables).unwrap_or(NonZeroUsize::MIN),
        NonZeroU32::new(deals).unwrap_or(NonZeroU32::MIN),
    )
}

/// Returns the number of sets of this size, saturating.
fn combinations(of: usize, size: usize) -> usize {
    (0..size).fold(1usize, |ways, next| ways.saturating_mul(of.saturating_sub(next)) / (next + 1))
}

fn strength(standings: &Standings, bot: &BotVersion) -> Option<Strength> {
    let name = bot.to_string();
    let row = standings.all.rows.iter().find(|row| row.name == name)?;
    Strength::of(row.rating.as_ref()?)
}

fn line(
    league: &League,
    playing: &[(Entrant, &BotVersion)],
    chosen: &[Chosen],
    deals: NonZeroU32,
    commitment: Digest,
) -> RoundLine {
    // Only bots at a table are listed, in the order of entry.
    let is_seated = |place: usize| chosen.iter().any(|it| it.table.seats(Entrant(place)));
    let seated: Vec<usize> = (0..playing.len()).filter(|place| is_seated(*place)).collect();
    let listed = |of: Entrant| seated.iter().position(|place| *place == of.0).unwrap_or(usize::MAX);
    let table = |chosen: &Chosen| TableLine {
        bots: chosen.table.bots().map(listed).collect(),
        why: match chosen.reason {
            Reason::Open(pair, probability) => PairingReason::Uncertain {
                pair: pair.map(listed),
                probability: (probability * 1e6).round() / 1e6,
            },
            Reason::LeastMet(pair, deals) => {
                PairingReason::LeastMet { pair: pair.map(listed), deals }
            }
        },
    };
    RoundLine {
        round: league.rounds().len() as u64,
        bots: seated.iter().map(|place| playing[*place].1.clone()).collect(),
        tables: chosen.iter().map(table).collect(),
        deals: u64::from(deals.get()),
        first_deal: league.next_deal(),
        commitment,
        stage: None,
    }
}

/// Returns the next round of a stage.
///
/// # Errors
///
/// [`NextRoundError::Stage`] if the rule of the stage has none.
pub fn next_of_stage(
    league: &League,
    stage: &Stage,
    commitment: Digest,
) -> Result<RoundLine, NextRoundError> {
    let (tables, deals) = match stage.next() {
        Ok(NextRound::Round { tables, deals, .. }) => (tables, *deals),
        Ok(NextRound::Over) => {
            return Err(NextRoundError::Stage(stage.line.stage, "is over".to_owned()));
        }
        Err(why) => return Err(NextRoundError::Stage(stage.line.stage, why.to_string())),
    };
    // Only bots at a table are listed, in the order of their seeds.
    let seated: BTreeSet<usize> = tables.iter().flat_map(|table| table.bots).collect();
    let places: BTreeMap<usize, usize> = seated.iter().copied().zip(0..).collect();
    let listed = |seed: usize| places.get(&seed).copied().unwrap_or(usize::MAX);
    let table = |table: &StageTable| TableLine {
        bots: table.bots.map(listed).to_vec(),
        why: match table.decider {
            None => PairingReason::Stage(table.of),
            Some(pair) => PairingReason::Decider(Decider { r#match: table.of, pair }),
        },
    };
    Ok(RoundLine {
        round: league.rounds().len() as u64,
        bots: seated.iter().filter_map(|seed| stage.bot(*seed).cloned()).collect(),
        tables: tables.iter().map(table).collect(),
        deals,
        first_deal: league.next_deal(),
        commitment,
        stage: Some(stage.line.stage),
    })
}

/// Deals of each version in the rounds so far, by its place among all.
struct PlayedDeals<'a> {
    league: &'a League,
    deals: Vec<u64>,
}

fn played(league: &League) -> PlayedDeals<'_> {
    let mut deals = vec![0u64; league.members().len()];
    for round in league.rounds() {
        for entrants in tables(league, round) {
            for entrant in entrants {
                deals[entrant.0] = deals[entrant.0].saturating_add(round.line.deals);
            }
        }
    }
    PlayedDeals { league, deals }
}

impl PlayedDeals<'_> {
    /// Counts how often the bots with a place have met.
    fn meetings(&self, place: &dyn Fn(Entrant) -> Option<Entrant>) -> Result<Meetings, NotSeats> {
        let mut meetings = Meetings::default();
        for round in self.league.rounds() {
            for entrants in tables(self.league, round) {
                let there: Vec<Entrant> = entrants.into_iter().filter_map(place).collect();
                if there.len() > 1 {
                    meetings.add(&Table::new(there)?, round.line.deals);
                }
            }
        }
        Ok(meetings)
    }
}

/// Returns the bots at each table of a round.
fn tables<'a>(league: &'a League, round: &'a Round) -> impl Iterator<Item = Vec<Entrant>> + 'a {
    let entrants: Vec<Option<Entrant>> =
        round.line.bots.iter().map(|bot| league.entrant(bot)).collect();
    round.line.tables.iter().map(move |table| {
        table.bots.iter().filter_map(|place| entrants.get(*place).copied().flatten()).collect()
    })
}

/// Makes the plan of the tournament for a round.
///
/// # Errors
///
/// Fails if the settings of the league do not fit.
pub fn plan(
    league: &League,
    line: &RoundLine,
    after: Digest,
    settings: Settings,
    bots: &dyn Fn(&BotVersion) -> Option<BotSpec>,
    seed: CommittedSeed,
) -> Result<Plan, Failure> {
    let Conditions { isolation, limits, .. } = settings.conditions;
    let entries = line.bots.iter().filter_map(|bot| {
        let (name, spec) = (bot.to_string(), bots(bot)?);
        let limits = limits.for_bot(&bot.bot, &spec);
        Some(Entry { bot: spec, name, limits })
    });
    // A grant to a bot is a grant to its version.
    let grants = isolation.grants.renamed(&|name| {
        let versions = line.bots.iter().filter(|version| version.bot == name);
        versions.map(ToString::to_string).collect()
    });
    let isolation = AskedIsolation { grants, ..isolation };
    let limits = AskedLimits::default();
    // Matches of a stage are played in full: skipped games would count for no one.
    let disqualify_after = settings.conditions.disqualify_after.filter(|_| line.stage.is_none());
    let settings = Settings {
        conditions: Conditions { isolation, limits, disqualify_after, ..settings.conditions },
        schedule: line.schedule(),
        league: Some(LeagueRound { round: line.round, after }),
        seed: PlannedSeed::Known(seed),
        ..settings
    };
    Plan::new(league.kind().clone(), settings, entries.collect())
}
