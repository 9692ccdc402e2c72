//! The next round of a league: its tables, and its plan as a tournament.

use std::collections::{BTreeMap, BTreeSet};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use bot::BotSpec;
use bot::grants::IsolationSpec;
use bot::limits::LimitSpecs;
use bot::manifest::ProgramMode;
use contest::tournament::plan::{Plan, PlannedBot, PlannedSeed, Settings};
use rules::{Digest, Seed};
use series::header::CommittedSeed;
use series::{Conditions, LeagueRound};
use standings::pairing::{self, AvailableBot, ChosenTable, Meetings, Reason, Strength, Table};
use standings::{Entrant, Standings, StandingsError};
use text::failure::Failure;

use crate::line::{PairingReason, RoundLine, TableLine};
use crate::remote::RemoteTerms;
use crate::replay_line::PendingTable;
use crate::stage::{Decider, NextRound, Stage, StageTable};
use crate::state::{League, Round};
use crate::version::BotVersion;

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
) -> Result<RoundLine, String> {
    let (tables, deals) = played(league);
    let playing: Vec<(Entrant, &BotVersion)> = league
        .active()
        .map(|(entrant, member)| (entrant, &member.entry.bot))
        .filter(|(_, bot)| may_play(bot))
        .collect();
    let seats = league.seats();
    if playing.len() < seats {
        let bots = text::counted(playing.len(), "bot", "bots");
        return Err(format!(
            "{bots} active for {seats} seats: enter one bot for each seat with `arbiter league add`"
        ));
    }
    let strengths: Vec<AvailableBot> = playing
        .iter()
        .map(|(entrant, bot)| AvailableBot {
            deals: deals[entrant.0],
            strength: strength(standings, bot),
        })
        .collect();
    let place = |of: Entrant| playing.iter().position(|(entrant, _)| *entrant == of);
    let meetings = meetings(&tables, &|entrant| place(entrant).map(Entrant));
    let mut meetings = meetings.map_err(|error| error.to_string())?;
    for group in &standings.all.groups {
        // Bots that play no more may be links of a chain of games.
        let of_group = |(_, bot): &(Entrant, &BotVersion)| group.bots.contains(&bot.to_string());
        let places: Vec<usize> =
            (0..playing.len()).filter(|place| of_group(&playing[*place])).collect();
        for two in places.windows(2) {
            meetings.connect(Entrant(two[0]), Entrant(two[1]));
        }
    }
    let (tables, deals) = bounded(size, playing.len(), seats, most_games);
    let round = pairing::RoundSpec {
        number: league.rounds().len() as u64,
        seats: seats.try_into().map_err(|error: StandingsError| error.to_string())?,
        tables,
        deals,
    };
    let seed = Seed(league.head().bytes());
    let chosen = pairing::choose(&strengths, &meetings, &round, &seed);
    let chosen = chosen.map_err(|error| error.to_string())?;
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
    let wanted = size.tables.map_or(bots, NonZeroUsize::get).min(possible);
    limited(size.deals, wanted, seats, most_games)
}

/// Returns this number of tables and deals, or fewer where they are more than this number of games.
fn limited(
    deals: NonZeroU32,
    tables: usize,
    seats: usize,
    most_games: Option<NonZeroU64>,
) -> (NonZeroUsize, NonZeroU32) {
    let tables = tables.max(1);
    let Some(most) = most_games else {
        return (NonZeroUsize::new(tables).unwrap_or(NonZeroUsize::MIN), deals);
    };
    // A table needs at least one deal, in all rotations.
    let of_deals = most.get().div_ceil(seats as u64).max(1);
    let tables = u64::try_from(tables).unwrap_or(u64::MAX).min(of_deals);
    let deals = of_deals.div_ceil(tables).min(u64::from(deals.get()));
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
    Strength::from_rating(row.rating.as_ref()?)
}

fn line(
    league: &League,
    playing: &[(Entrant, &BotVersion)],
    chosen: &[ChosenTable],
    deals: NonZeroU32,
    commitment: Digest,
) -> RoundLine {
    // Only bots at a table are listed, in the order of entry.
    let is_seated = |place: usize| chosen.iter().any(|it| it.table.seats(Entrant(place)));
    let seated: Vec<usize> = (0..playing.len()).filter(|place| is_seated(*place)).collect();
    let listed = |of: Entrant| seated.iter().position(|place| *place == of.0).unwrap_or(usize::MAX);
    let table = |chosen: &ChosenTable| TableLine {
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

/// Chooses a round that plays void games again, of at most this size and number of games; none if no game waits for it
/// whose bots may all play.
pub fn next_replay(
    league: &League,
    size: RoundSize,
    most_games: Option<NonZeroU64>,
    may_play: &dyn Fn(&BotVersion) -> bool,
    commitment: Digest,
) -> Option<RoundLine> {
    let pending = league.pending_replays(may_play);
    let deals = pending.first()?.deals.min(size.deals.get().into());
    // All tables of a round have as many deals; what is left of others waits for the next one.
    let mut tables: Vec<&PendingTable> = Vec::new();
    for it in pending.iter().filter(|it| it.deals >= deals) {
        let has_same_bots = |other: &&PendingTable| {
            other.bots.iter().collect::<BTreeSet<_>>() == it.bots.iter().collect()
        };
        if !tables.iter().any(has_same_bots) {
            tables.push(it);
        }
    }
    let size = RoundSize { deals: NonZeroU32::new(deals.try_into().ok()?)?, ..size };
    let limit = size.tables.map_or(tables.len(), NonZeroUsize::get).min(tables.len());
    let (limit, deals) = limited(size.deals, limit, league.seats(), most_games);
    tables.truncate(limit.get());
    let mut bots: Vec<BotVersion> = tables.iter().flat_map(|it| &it.bots).cloned().collect();
    bots.sort_by_key(|bot| league.entrant(bot));
    bots.dedup();
    let place = |bot: &BotVersion| bots.iter().position(|it| it == bot).unwrap_or(usize::MAX);
    let table = |it: &&PendingTable| TableLine {
        bots: it.bots.iter().map(place).collect(),
        why: PairingReason::Replay { round: it.round, game: it.game },
    };
    Some(RoundLine {
        round: league.rounds().len() as u64,
        tables: tables.iter().map(table).collect(),
        deals: deals.get().into(),
        first_deal: league.next_deal(),
        commitment,
        stage: None,
        bots,
    })
}

/// Returns the next round of a stage.
///
/// # Errors
///
/// Fails if the rule of the stage has none.
pub fn next_of_stage(
    league: &League,
    stage: &Stage,
    commitment: Digest,
) -> Result<RoundLine, String> {
    let (tables, deals) = match stage.next() {
        Ok(NextRound::Round { tables, deals, .. }) => (tables, *deals),
        Ok(NextRound::Over) => {
            return Err(format!("stage {} is over", stage.line.stage));
        }
        Err(why) => return Err(format!("stage {} {why}", stage.line.stage)),
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

/// The tables of the rounds so far, with the deals that count; and the deals of each version, by its place among all.
fn played(league: &League) -> (Vec<(Vec<Entrant>, u64)>, Vec<u64>) {
    let mut deals = vec![0u64; league.members().len()];
    let mut all = Vec::new();
    for round in league.rounds() {
        for (entrants, of_table) in tables(league, round).zip(deals_that_count(league, round)) {
            for entrant in &entrants {
                deals[entrant.0] = deals[entrant.0].saturating_add(of_table);
            }
            all.push((entrants, of_table));
        }
    }
    (all, deals)
}

/// Counts how often the bots with a place have met.
fn meetings(
    tables: &[(Vec<Entrant>, u64)],
    place: &dyn Fn(Entrant) -> Option<Entrant>,
) -> Result<Meetings, StandingsError> {
    let mut meetings = Meetings::default();
    for (entrants, deals) in tables.iter().filter(|(_, deals)| *deals > 0) {
        let there: Vec<Entrant> = entrants.iter().copied().filter_map(place).collect();
        if there.len() > 1 {
            meetings.add(&Table::new(there)?, *deals);
        }
    }
    Ok(meetings)
}

/// Returns for each table of a round on how many of its deals a game counts.
fn deals_that_count(league: &League, round: &Round) -> Vec<u64> {
    let RoundLine { tables, deals, .. } = &round.line;
    let mut counting = vec![*deals; tables.len()];
    // Of a round that was aborted, the first games were played.
    let aborted = round.over.as_ref().filter(|over| over.broken.is_some());
    let played = aborted.map_or(u64::MAX, |over| over.games);
    if aborted.is_none() && league.corrections().of_round(&round.line).next().is_none() {
        return counting;
    }
    for (table, counting) in counting.iter_mut().enumerate() {
        let bots = round.line.bots_of(table);
        let counts =
            |game| game < played && league.corrections().counts(round.line.round, game, &bots);
        let of_deal = |deal: &u64| round.line.games_of(*deal, table, league.seats()).any(counts);
        *counting = (0..*deals).filter(of_deal).count() as u64;
    }
    counting
}

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
    remote: Option<RemoteTerms>,
) -> Result<Plan, Failure> {
    let Conditions { isolation, limits, .. } = settings.conditions;
    let entries = line.bots.iter().filter_map(|bot| {
        let (name, spec) = (bot.to_string(), bots(bot)?);
        let limits = limits.for_bot(&bot.bot, &spec);
        let remote = remote.filter(|_| spec.mode() == ProgramMode::Remote);
        let limits = remote.map_or(limits, |terms| terms.limits(limits));
        Some(PlannedBot { bot: spec, name, limits })
    });
    // A grant to a bot is a grant to its version.
    let grants = isolation.grants.renamed(&|name| {
        let versions = line.bots.iter().filter(|version| version.bot == name);
        versions.map(ToString::to_string).collect()
    });
    let isolation = IsolationSpec { grants, ..isolation };
    let limits = LimitSpecs::default();
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
