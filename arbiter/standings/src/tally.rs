//! The games of a tournament, added up one by one, and these sums as bytes to continue from.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::account::{GameContribution, Resamples, Totals};
use super::column::FigureIndex;
use super::estimate::{BootstrapSeed, Estimate, Weighting, Weights};
use super::game::{Entrant, Game, StandingsError, UnpairedGames, refused};
use super::ratings::{self, RatingFit};
use super::setup::{Model, StandingsSetup};
use super::sprt::SprtState;
use super::summary::summarise;
use super::view::Standings;

/// The games of a tournament, added up in memory that does not grow with their number.
///
/// Games may come in any order: the standings are the same to the last bit.
///
/// ```
/// use standings::{Entrant, Game, StandingsSetup, Tally};
/// use rules::Score;
///
/// let mut tally = Tally::new(StandingsSetup::new(vec!["ann".to_owned(), "bob".to_owned()], 2));
/// for deal in 0..10 {
///     let scores = vec![Score::points(12), Score::points(13)];
///     let one = Game::new(deal, vec![Entrant(0), Entrant(1)].into(), scores.clone().into(), &[])?;
///     let other = Game::new(deal, vec![Entrant(1), Entrant(0)].into(), scores.into(), &[])?;
///     tally.add(&one)?;
///     tally.add(&other)?;
/// }
/// let standings = tally.standings();
/// // The second seat always wins, so both are the same.
/// assert!(standings.all.rows.iter().all(|row| row.rating.is_some_and(|it| it.value == 0.0)));
/// // The disadvantage of the first seat is bounded on one side only: it never won.
/// let seat = standings.all.seat_advantage.and_then(|seat| seat.interval);
/// assert!(seat.is_some_and(|seat| seat.low.is_none() && seat.high.is_some_and(|high| high < 0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tally {
    pub(super) setup: StandingsSetup,
    pub(super) weights: Weights,
    pub(super) all: Totals,
    /// As long as no game was forfeited, it is the same as `all`.
    pub(super) without_forfeits: Option<Totals>,
    pub(super) unpaired: UnpairedGames,
}

/// The games of a bot, and what came of them.
#[derive(Debug, Clone, PartialEq)]
pub struct BotResults {
    /// Its name.
    pub name: String,
    /// Number of games.
    pub games: u64,
    /// Games that it won alone.
    pub won: u64,
    /// Games that it won along with others.
    pub drawn: u64,
    /// Games that another bot won.
    pub lost: u64,
    /// The share of the others that it did better than, from 0 to 1, where as good is half; none without games.
    pub score: Option<f64>,
}

impl Tally {
    /// No game yet.
    pub fn new(setup: StandingsSetup) -> Tally {
        Tally {
            weights: Weights::new(setup.seed, 0..setup.replicates.count()),
            all: Totals::new(&setup),
            without_forfeits: None,
            unpaired: UnpairedGames::default(),
            setup,
        }
    }

    /// The setup of the tournament.
    pub fn setup(&self) -> &StandingsSetup {
        &self.setup
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.all.games
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// [`StandingsError`] for a game of another tournament, which is not added.
    pub fn add(&mut self, game: &Game) -> Result<(), StandingsError> {
        let (found, expected) = (game.seats().count(), self.setup.seats);
        if found != expected {
            return Err(refused(format_args!("a game has {found} seats, expected {expected}")));
        }
        let entrants = self.setup.names.len();
        if let Some(entrant) = game.seats().values().iter().find(|entrant| entrant.0 >= entrants) {
            let bot = entrant.0;
            let text = format_args!(
                "bot {bot} plays in a game, expected one of {entrants} bots counted from 0"
            );
            return Err(refused(text));
        }
        self.add_to_accounts(game);
        if self.setup.is_duel() {
            self.add_to_pairs(game);
        }
        Ok(())
    }

    fn add_to_accounts(&mut self, game: &Game) {
        let contribution = GameContribution::new(game, self.setup.model());
        if game.is_forfeited() {
            self.without_forfeits.get_or_insert_with(|| self.all.clone());
        } else if let Some(account) = &mut self.without_forfeits {
            account.add(game, &contribution, &mut self.weights);
        }
        self.all.add(game, &contribution, &mut self.weights);
    }

    fn add_to_pairs(&mut self, game: &Game) {
        let Some(pair) = self.unpaired.add(game) else { return };
        self.all.counts.add(pair);
        if let Some(account) =
            self.without_forfeits.as_mut().filter(|_| pair.iter().all(|game| !game.forfeited))
        {
            account.counts.add(pair);
        }
    }

    /// State of the test of two bots, over all their pairs; none if there is no test.
    ///
    /// It is cheap enough to ask after every game.
    pub fn sprt(&self) -> Option<SprtState> {
        let sprt = self.setup.sprt.filter(|_| self.setup.is_duel())?;
        Some(sprt.state(&self.all.counts))
    }

    /// The rating of each bot, by its place, without an interval; none for a bot that has not played.
    ///
    /// It costs little beside the standings.
    pub fn ratings(&self) -> Vec<Option<f64>> {
        ratings::values(&self.setup, &self.all.sums.column(Weighting::Alike))
    }

    /// The rating of each bot, by its place, with its interval, as the standings have them.
    ///
    /// It costs less than they do, because nothing is computed for every two bots.
    pub fn estimates(&self) -> Vec<Option<Estimate>> {
        let total = self.all.sums.column(Weighting::Alike);
        let resamples = Resamples::new(&self.all, &self.setup);
        let ratings = RatingFit::new(&self.all, &self.setup, &total, &resamples);
        (0..self.setup.names.len()).map(|place| ratings.estimate(Entrant(place))).collect()
    }

    /// The bots with their games, the best score first, then by name. It costs little, because nothing is estimated.
    pub fn results(&self) -> Vec<BotResults> {
        let total = self.all.sums.column(Weighting::Alike);
        let quantities = FigureIndex::new(self.setup.names.len(), &total.meetings);
        let numbers = quantities.numbers(&total);
        let of_bot = |(place, name): (usize, &String)| {
            let bot = &self.all.bots[place];
            BotResults {
                name: name.clone(),
                games: bot.games,
                won: bot.won,
                drawn: bot.drawn,
                lost: bot.lost,
                score: Some(numbers[quantities.score(Entrant(place))]).filter(|it| !it.is_nan()),
            }
        };
        let mut results: Vec<BotResults> =
            self.setup.names.iter().enumerate().map(of_bot).collect();
        results.sort_by(|one, other| {
            let falling = other.score.partial_cmp(&one.score).unwrap_or(Ordering::Equal);
            falling.then_with(|| one.name.cmp(&other.name))
        });
        results
    }

    /// The standings so far.
    pub fn standings(&self) -> Standings {
        let all = summarise(&self.all, &self.setup);
        let without_forfeits = match &self.without_forfeits {
            Some(account) => summarise(account, &self.setup),
            None => all.clone(),
        };
        Standings { format: Standings::FORMAT, all, without_forfeits }
    }
}

/// Facts that a tally shares with one that continues from it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TallyBasis {
    /// The bots so far; others may come after them.
    names: Vec<String>,
    seats: usize,
    seed: BootstrapSeed,
    replicates: usize,
    model: Model,
}

impl TallyBasis {
    fn new(setup: &StandingsSetup) -> TallyBasis {
        TallyBasis {
            names: setup.names.clone(),
            seats: setup.seats,
            seed: setup.seed,
            replicates: setup.replicates.count(),
            model: setup.model(),
        }
    }

    fn is_continued_by(&self, setup: &StandingsSetup) -> bool {
        let names = setup.names.get(..self.names.len()).unwrap_or_default().to_vec();
        *self == TallyBasis { names, ..TallyBasis::new(setup) }
    }
}

impl Tally {
    /// The tally as bytes, between two deals: a game that waits for the other one of its pair is left
    /// out.
    pub fn to_bytes(&self) -> Vec<u8> {
        let kept = (TallyBasis::new(&self.setup), &self.all, &self.without_forfeits);
        // Only a writer can fail, and this one has no end.
        postcard::to_stdvec(&kept).unwrap_or_default()
    }

    /// The tally that these bytes are, with bots that have come since.
    ///
    /// # Errors
    ///
    /// [`StandingsError`] if the bytes are those of another competition, of other settings, or none of a
    /// tally; also where the model is another one with so many bots.
    pub fn from_bytes(setup: StandingsSetup, bytes: &[u8]) -> Result<Tally, StandingsError> {
        let (basis, mut all, mut without_forfeits): (TallyBasis, Totals, Option<Totals>) =
            postcard::from_bytes(bytes).map_err(|_| not_continued())?;
        let entrants = basis.names.len();
        let is_whole = [Some(&all), without_forfeits.as_ref()]
            .into_iter()
            .flatten()
            .all(|account| account.is_of(entrants, &setup));
        if !basis.is_continued_by(&setup) || !is_whole {
            return Err(not_continued());
        }
        for account in [Some(&mut all), without_forfeits.as_mut()].into_iter().flatten() {
            account.enter(setup.names.len());
        }
        let weights = Weights::new(setup.seed, 0..setup.replicates.count());
        Ok(Tally { setup, weights, all, without_forfeits, unpaired: UnpairedGames::default() })
    }

    /// Continues the tally with bots that have come since.
    ///
    /// # Errors
    ///
    /// [`StandingsError`], as for bytes.
    pub fn continued(mut self, setup: StandingsSetup) -> Result<Tally, StandingsError> {
        if !TallyBasis::new(&self.setup).is_continued_by(&setup) {
            return Err(not_continued());
        }
        self.all.enter(setup.names.len());
        if let Some(account) = &mut self.without_forfeits {
            account.enter(setup.names.len());
        }
        Ok(Tally { setup, ..self })
    }
}

fn not_continued() -> StandingsError {
    refused("this is not a tally that can be continued with these bots and settings")
}
