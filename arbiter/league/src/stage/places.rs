//! The places of the bots of a stage, as far as they are known.

use std::ops::RangeInclusive;

use serde::Serialize;
use standings::Entrant;
use standings::pairing::knockout::Bracket;
use standings::pairing::tie_break::{Ranking, TieBreak};

use crate::stage::line::{GroupFormat, StageFormat};
use crate::stage::state::{Stage, StageError, StageRound, entrants, half_points};

/// The place of a bot in a stage.
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
}

impl Stage {
    /// The bots in the order of their places, as far as these are known: in a knockout, bots that can still win are
    /// not there.
    pub fn places(&self) -> Vec<StagePlace> {
        match &self.line.format {
            StageFormat::Swiss { .. } => self.swiss_places(),
            StageFormat::Knockout { third } => {
                let all: Vec<usize> = (0..self.line.bots.len()).collect();
                self.bracket(&all, *third, &self.rounds)
                    .map_or_else(|_| Vec::new(), |it| bracket_places(&it))
            }
            StageFormat::Groups(format) => self.places_from_groups(format).unwrap_or_default(),
        }
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

    fn group_places(&self, format: &GroupFormat) -> Result<Vec<Vec<StagePlace>>, StageError> {
        let played: Vec<_> = self.rounds.first().into_iter().flat_map(StageRound::played).collect();
        let points = |bot| half_points(bot, &played, &[]);
        let ranked = self.ranked_groups(format.groups)?.into_iter().enumerate();
        Ok(ranked
            .map(|(group, (_, ranking))| ranked_places(&ranking, &points, Some(group + 1)))
            .collect())
    }

    fn swiss_places(&self) -> Vec<StagePlace> {
        let over = || self.rounds.iter().filter(|round| round.results.is_some());
        let played: Vec<_> = over().flat_map(StageRound::played).collect();
        let byes: Vec<usize> = over().filter_map(|round| round.bye).collect();
        let bots = entrants(self.line.bots.len());
        self.ranking(&bots, &played, &byes).map_or_else(
            |_| Vec::new(),
            |ranking| ranked_places(&ranking, &|bot| half_points(bot, &played, &byes), None),
        )
    }

    /// The places after groups: those of the knockout, then the others by their places in the groups.
    fn places_from_groups(&self, format: &GroupFormat) -> Result<Vec<StagePlace>, StageError> {
        let Some((first, later)) = self.rounds.split_first() else { return Ok(Vec::new()) };
        let mut places = Vec::new();
        if first.results.is_some() {
            let seeds = self.seeds.as_deref().unwrap_or_default();
            places = bracket_places(&self.bracket(seeds, format.third, later)?);
        }
        let mut behind: Vec<StagePlace> = Vec::new();
        for own in self.group_places(format)? {
            for (place, bot) in own.into_iter().enumerate() {
                match places.iter_mut().find(|it| it.seed == bot.seed) {
                    Some(known) => *known = StagePlace { rank: known.rank, ..bot },
                    None if place >= format.first.get() => behind.push(bot),
                    None => {}
                }
            }
        }
        behind.sort_by_key(|bot| (bot.rank[0], bot.group));
        let mut next = format.groups.get() * format.first.get() + 1;
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

/// The places of bots that are out of a knockout or have won it.
fn bracket_places(bracket: &Bracket) -> Vec<StagePlace> {
    let place = |(bot, ranks): (Entrant, RangeInclusive<usize>)| StagePlace {
        seed: bot.0,
        rank: [*ranks.start(), *ranks.end()],
        half_points: None,
        group: None,
        by: None,
    };
    let mut places: Vec<StagePlace> = bracket.ranks().into_iter().map(place).collect();
    places.sort_by_key(|it| (it.rank, it.seed));
    places
}

/// The places of a ranking.
fn ranked_places(
    ranking: &Ranking,
    points: &dyn Fn(Entrant) -> u64,
    group: Option<usize>,
) -> Vec<StagePlace> {
    let place = |(bot, rank): &(Entrant, usize)| {
        let shared = ranking.places.iter().filter(|(_, other)| other == rank).count();
        StagePlace {
            seed: bot.0,
            rank: [*rank, rank + shared - 1],
            half_points: Some(points(*bot)),
            group,
            by: ranking.first_decided_by(*bot),
        }
    };
    ranking.places.iter().map(place).collect()
}
