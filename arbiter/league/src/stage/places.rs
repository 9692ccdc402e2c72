//! The places of the bots of a stage, as far as they are known.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::Path;

use contest::tournament::read::{self, PartLog, ReadError};
use rules::{GameRecord, Outcome as Ended};
use serde::{Serialize, Serializer};
use series::Series;
use standings::Entrant;
use standings::pairing::tie_break::{Ranking, TieBreak};

use super::{RankedGroup, Stage, entrants, half_points};
use crate::line::RoundLine;
use crate::stage::line::{ForfeitRule, GroupFormat, StageFormat, TableResult};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StagePlace {
    /// Its seed, from 0.
    #[serde(skip)]
    pub seed: usize,
    /// Its rank; bots that share one have all of it.
    pub rank: [usize; 2],
    /// Its points in matches, two for a win and one for a draw, after groups those in its group; none in a knockout.
    pub half_points: Option<u64>,
    /// The group that it was in, from 1.
    pub group: Option<usize>,
    /// The tie-break that put it before or behind bots of the same score.
    pub by: Option<TieBreak>,
    /// What separates it from the others of its group or its Swiss stage, in the order of use.
    pub separated_by: Vec<SeparationCause>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeparationCause {
    /// No other one has as many points in matches.
    MatchPoints,
    TieBreak(TieBreak),
    /// The better seed, since one of those that are tied advances.
    Seed,
    /// Nothing: it shares its rank.
    Shared,
    /// It left before its matches counted.
    Left,
}

impl Serialize for SeparationCause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            SeparationCause::MatchPoints => "match-points",
            SeparationCause::TieBreak(by) => by.name(),
            SeparationCause::Seed => "seed",
            SeparationCause::Shared => "shared",
            SeparationCause::Left => "left",
        })
    }
}

impl Stage {
    /// The bots in the order of their places, as far as these are known: in a knockout, bots that can still win are
    /// not there.
    pub fn places(&self) -> Vec<StagePlace> {
        let mut places = match &self.line.format {
            StageFormat::Swiss { .. } => self.swiss_places(),
            StageFormat::Knockout { .. } | StageFormat::DoubleElimination => self.bracket_places(),
            StageFormat::Groups(format) => self.places_from_groups(format).unwrap_or_default(),
        };
        // Those that left before the first round share the last ranks.
        let is_new = |seed: &usize| places.iter().all(|it| it.seed != *seed);
        let left: Vec<usize> = self.leavers.left_before(0).filter(is_new).collect();
        let bots = self.line.bots.len();
        places
            .extend(left.iter().map(|seed| left_place(*seed, [bots + 1 - left.len(), bots], None)));
        places
    }

    /// The bots of each group in the order of their places there; no groups in other formats.
    pub fn groups(&self) -> Vec<Vec<StagePlace>> {
        let StageFormat::Groups(format) = &self.line.format else { return Vec::new() };
        self.group_places(format).unwrap_or_default()
    }

    /// Returns true if a bot has gone on from its group.
    pub fn goes_on(&self, seed: usize) -> bool {
        self.seeds.as_ref().is_some_and(|seeds| seeds.contains(&seed))
    }

    fn group_places(&self, format: &GroupFormat) -> Result<Vec<Vec<StagePlace>>, String> {
        let ranked = (1..).zip(self.ranked_groups(format.groups)?);
        let places = ranked.map(|(number, RankedGroup { ranking, played, left })| {
            let points = |bot| half_points(bot, &played, &[]);
            let mut places = ranked_places(&ranking, &points, Some((number, format.first)));
            let rank = [places.len() + 1, places.len() + left.len()];
            places.extend(left.iter().map(|bot| left_place(bot.0, rank, Some(number))));
            places
        });
        Ok(places.collect())
    }

    fn swiss_places(&self) -> Vec<StagePlace> {
        let (counted, unpaired) = self.counted_in_swiss();
        let bots = entrants(self.line.bots.len());
        let points = |bot| half_points(bot, &counted, &unpaired);
        self.ranking(&bots, &counted, &unpaired)
            .map_or_else(|_| Vec::new(), |ranking| ranked_places(&ranking, &points, None))
    }

    /// The places of bots that are out of a knockout or have won it.
    fn bracket_places(&self) -> Vec<StagePlace> {
        let Some(Ok(knockout)) = self.knockout(self.finished_rounds()) else {
            return Vec::new();
        };
        let place = |(bot, ranks): (Entrant, RangeInclusive<usize>)| StagePlace {
            seed: bot.0,
            rank: [*ranks.start(), *ranks.end()],
            half_points: None,
            group: None,
            by: None,
            separated_by: Vec::new(),
        };
        let mut places: Vec<StagePlace> = knockout.ranks().into_iter().map(place).collect();
        places.sort_by_key(|it| (it.rank, it.seed));
        places
    }

    /// The places after groups: those of the knockout, then the others by their places in the groups.
    fn places_from_groups(&self, format: &GroupFormat) -> Result<Vec<StagePlace>, String> {
        if self.rounds.is_empty() {
            return Ok(Vec::new());
        }
        let mut places = self.bracket_places();
        let is_behind = |place: usize, seed: usize| match &self.seeds {
            Some(seeds) => !seeds.contains(&seed),
            None => place >= format.first.get(),
        };
        let mut behind: Vec<StagePlace> = Vec::new();
        for own in self.group_places(format)? {
            for (place, bot) in own.into_iter().enumerate() {
                match places.iter_mut().find(|it| it.seed == bot.seed) {
                    Some(known) => *known = StagePlace { rank: known.rank, ..bot },
                    None if is_behind(place, bot.seed) => behind.push(bot),
                    None => {}
                }
            }
        }
        behind.sort_by_key(|bot| (bot.rank[0], bot.group));
        let all = format.groups.get() * format.first.get();
        let mut next = self.seeds.as_ref().map_or(all, Vec::len) + 1;
        let mut at = 0;
        while at < behind.len() {
            let rank = behind[at].rank[0];
            let many = behind[at..].iter().take_while(|bot| bot.rank[0] == rank).count();
            behind[at..at + many].iter_mut().for_each(|bot| bot.rank = [next, next + many - 1]);
            (at, next) = (at + many, next + many);
        }
        places.extend(behind);
        Ok(places)
    }
}

/// The place of a bot that left, and whose matches do not count.
fn left_place(seed: usize, rank: [usize; 2], group: Option<usize>) -> StagePlace {
    let separated_by = vec![SeparationCause::Left];
    StagePlace { seed, rank, half_points: None, group, by: None, separated_by }
}

/// The places of a ranking; of a group, by its number and the number of bots that advance.
fn ranked_places(
    ranking: &Ranking,
    points: &dyn Fn(Entrant) -> u64,
    group: Option<(usize, NonZeroUsize)>,
) -> Vec<StagePlace> {
    let place = |(bot, rank): &(Entrant, usize)| {
        let shared = ranking.places.iter().filter(|(_, other)| other == rank).count();
        StagePlace {
            seed: bot.0,
            rank: [*rank, rank + shared - 1],
            half_points: Some(points(*bot)),
            group: group.map(|(number, _)| number),
            by: ranking.first_decided_by(*bot),
            separated_by: separated_by(ranking, *bot, group.map(|(_, first)| first)),
        }
    };
    ranking.places.iter().map(place).collect()
}

fn separated_by(
    ranking: &Ranking,
    bot: Entrant,
    first: Option<NonZeroUsize>,
) -> Vec<SeparationCause> {
    let ties: Vec<_> = ranking.ties.iter().filter(|tie| tie.bots.contains(&bot)).collect();
    if ties.is_empty() {
        return vec![SeparationCause::MatchPoints];
    }
    // Bots that are tied stand in the order of their seeds, so the first of them may advance without the others.
    let advances = |bot: &Entrant| {
        let place = ranking.places.iter().position(|(other, _)| other == bot);
        first.is_some_and(|first| place < Some(first.get()))
    };
    let by = ties.into_iter().map(|tie| match tie.decided_by {
        Some(by) => SeparationCause::TieBreak(by),
        None if tie.bots.iter().any(advances) && !tie.bots.iter().all(advances) => {
            SeparationCause::Seed
        }
        None => SeparationCause::Shared,
    });
    by.collect()
}

/// Reads the log of a round in this folder, and returns the result of each table of two bots, in their order, as a stage
/// with this rule writes it. None of the log is there if the round was not begun.
///
/// # Errors
///
/// [`ReadError`] if the log cannot be read.
pub fn results(
    line: &RoundLine,
    rule: ForfeitRule,
    path: &Path,
) -> Result<(Option<PartLog>, Vec<TableResult>), ReadError> {
    let mut results = vec![TableResult::default().with_rule(rule); line.tables.len()];
    let log = read::read_log(path, &mut |series, game| {
        add(line, series, game, &mut results);
        Ok(())
    });
    match log {
        Ok(log) => Ok((Some(log), results)),
        Err(ReadError::NotBegun | ReadError::NotMerged(_)) => Ok((None, results)),
        Err(error) => Err(error),
    }
}

/// Adds a game that counts.
pub(crate) fn add(
    line: &RoundLine,
    series: &Series,
    game: &GameRecord,
    results: &mut [TableResult],
) {
    let (Ended::Played { scores, out } | Ended::Walkover { scores, out }) = &game.result else {
        return;
    };
    let seated: Vec<usize> = series.seating(game.game).players.values().to_vec();
    let scores = scores.values();
    let ([one, other], [of_one, of_other]) = (seated.as_slice(), scores) else { return };
    let is_it = |bots: &[usize]| bots == [*one, *other] || bots == [*other, *one];
    let Some(at) = line.tables.iter().position(|table| is_it(&table.bots)) else { return };
    let (Some(table), Some(result)) = (line.tables.get(at), results.get_mut(at)) else { return };
    let mut scores = [*of_one, *of_other];
    let mut is_out = [0, 1].map(|seat| out.values().get(seat).is_some_and(Option::is_some));
    if table.bots.first() != Some(one) {
        scores.reverse();
        is_out.reverse();
    }
    if let Some(forfeited) = &mut result.forfeited {
        *forfeited = [0, 1].map(|bot| forfeited[bot] + u64::from(is_out[bot]));
    }
    match scores[0].cmp(&scores[1]) {
        std::cmp::Ordering::Greater => result.won[0] += 1,
        std::cmp::Ordering::Less => result.won[1] += 1,
        std::cmp::Ordering::Equal => result.drawn += 1,
    }
    result.points = [result.points[0] + scores[0], result.points[1] + scores[1]];
}
