//! Games against a built-in player, every deal played in both seats.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bots::coup::Coup;
use bots::options::BadOption;
use bots::{AnyPlayer, NoMove, Player, Players};
use rules::coup::{Move, Options};
use rules::{GameTerms, Request, Score, Seat, Seed};
use simulation::{CompletedGame, StuckGame, TIME, play};

use crate::coup::store::Store;
use crate::coup::styles::Watched;

/// A built-in player that others meet. Its start is paid for once, not in each game.
#[derive(Debug, Clone)]
pub struct Contest {
    name: String,
    player: SharedPlayer,
    /// Counts of its choices.
    watched: Option<Arc<Mutex<Store>>>,
}

impl Contest {
    /// Games against this player, named with its options as in `minimax --depth 1`.
    pub fn new(bot: &str) -> Result<Contest, BadOption> {
        let words: Vec<String> = bot.split_ascii_whitespace().map(str::to_owned).collect();
        let (name, options) =
            words.split_first().map_or(("", &[][..]), |(name, options)| (name, options));
        let player = SharedPlayer::new(Coup::player(name, options)?);
        Ok(Contest { name: words.join(" "), player, watched: None })
    }

    /// Counts the choices of the built-in player in the same games.
    #[must_use]
    pub fn watched(self, counts: Arc<Mutex<Store>>) -> Contest {
        Contest { watched: Some(counts), ..self }
    }

    /// One game of a deal, in which `player` has this seat, 0 or 1.
    pub fn game(
        &self,
        seed: &Seed,
        deal: u64,
        seat: usize,
        player: AnyPlayer<Coup>,
    ) -> Result<Ending, StuckGame> {
        meet(seed, deal, seat, player, self.player())
    }

    /// The built-in player.
    pub fn player(&self) -> AnyPlayer<Coup> {
        let player = Box::new(self.player.clone());
        match &self.watched {
            Some(counts) => Box::new(Watched::new(player, Arc::clone(counts))),
            None => player,
        }
    }

    /// Both games of a deal, each with a new player: its points, from 0 to 2.
    pub fn deal(
        &self,
        seed: &Seed,
        deal: u64,
        player: &dyn Fn() -> AnyPlayer<Coup>,
    ) -> Result<f64, StuckGame> {
        let first = self.game(seed, deal, 0, player())?.points();
        Ok(first + self.game(seed, deal, 1, player())?.points())
    }

    /// Plays a number of deals, counted from 0.
    pub fn play(
        &self,
        seed: &Seed,
        deals: u64,
        player: &dyn Fn() -> AnyPlayer<Coup>,
    ) -> Result<Tally, StuckGame> {
        let mut tally = Tally::default();
        for deal in 0..deals {
            tally.add(self.deal(seed, deal, player)?);
        }
        Ok(tally)
    }
}

/// A player that plays many games, so that its start is paid for once.
#[derive(Clone)]
pub struct SharedPlayer(Arc<Mutex<AnyPlayer<Coup>>>);

impl SharedPlayer {
    pub fn new(player: AnyPlayer<Coup>) -> SharedPlayer {
        SharedPlayer(Arc::new(Mutex::new(player)))
    }
}

impl fmt::Debug for SharedPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedPlayer")
    }
}

impl Player<Coup> for SharedPlayer {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).choose(request)
    }
}

/// One game of a deal, in which `player` has this seat, 0 or 1, and `other` the other one.
pub fn meet(
    seed: &Seed,
    deal: u64,
    seat: usize,
    player: AnyPlayer<Coup>,
    other: AnyPlayer<Coup>,
) -> Result<Ending, StuckGame> {
    let game = deal * 2 + seat as u64;
    let terms = GameTerms::even(seed.name(game), 2, TIME, seed.bots(deal));
    let players = if seat == 0 { vec![player, other] } else { vec![other, player] };
    let finished = play(&Options::default(), &terms, &mut seed.nature(deal), players)?;
    Ok(Ending::for_seat(&finished, seat))
}

impl fmt::Display for Contest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// End of a game for one of its seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It has won.
    Won,
    /// Neither has.
    Draw,
    /// The other has won.
    Lost,
}

impl Ending {
    fn for_seat(finished: &CompletedGame<Coup>, seat: usize) -> Ending {
        let won =
            |seat| Seat::new(seat).is_some_and(|seat: Seat| finished.scores[seat] != Score::ZERO);
        match (won(seat), won(1 - seat)) {
            (true, _) => Ending::Won,
            (_, true) => Ending::Lost,
            _ => Ending::Draw,
        }
    }

    /// The points for it: 1 for a win, half for a draw.
    pub fn points(self) -> f64 {
        match self {
            Ending::Won => 1.0,
            Ending::Draw => 0.5,
            Ending::Lost => 0.0,
        }
    }
}

/// The points of a number of deals, each of which was played twice.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    pub deals: u64,
    points: f64,
    squares: f64,
}

impl Tally {
    /// Adds the points of both games of a deal.
    pub fn add(&mut self, points: f64) {
        self.deals += 1;
        self.points += points;
        self.squares += points * points;
    }

    /// The same games for the other player.
    #[must_use]
    pub fn mirrored(&self) -> Tally {
        let Tally { deals, points, squares } = *self;
        let most = 2.0 * deals as f64;
        Tally { deals, points: most - points, squares: 2.0 * most - 4.0 * points + squares }
    }

    /// The share of games that were won, draws counting half, in per cent.
    pub fn per_cent(&self) -> f64 {
        50.0 * self.points / self.deals.max(1) as f64
    }

    /// Half of the 95% interval of it, in per cent. The two games of a deal depend on each other, so
    /// deals are what is counted.
    pub fn interval(&self) -> f64 {
        let deals = self.deals.max(1) as f64;
        let mean = self.points / deals;
        let variance = (self.squares / deals - mean * mean).max(0.0);
        50.0 * 1.96 * (variance / deals).sqrt()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (share, interval, games) = (self.per_cent(), self.interval(), self.deals * 2);
        write!(f, "{share:.2} ± {interval:.2}% of {games} games")
    }
}

/// A number that a seed gives, for what is sampled beside the deals.
pub fn number(seed: &Seed) -> u64 {
    seed.0.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}
