//! Decisions of players in whole games, and what a review makes of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bots::review::{Certainty, ReviewedDecision, Reviewer};
use bots::{AnyPlayer, NoMove, Player, Players};
use rules::{GameTerms, Request, Seed};
use simulation::{TIME, play};

/// A request, the name of the player who was asked, and the move.
pub(crate) struct Decision<G: Players> {
    pub(crate) name: String,
    pub(crate) request: Request<G>,
    pub(crate) played: G::Move,
}

struct Watched<G: Players> {
    name: String,
    player: AnyPlayer<G>,
    seen: Arc<Mutex<Vec<Decision<G>>>>,
}

impl<G: Players> Player<G> for Watched<G> {
    fn choose(&mut self, request: &Request<G>) -> Result<G::Move, NoMove> {
        let played = self.player.choose(request)?;
        let (name, request) = (self.name.clone(), request.clone());
        let decision = Decision { name, request, played: played.clone() };
        self.seen.lock().unwrap().push(decision);
        Ok(played)
    }
}

/// A player by its command line: `minimax --depth 2`.
pub(crate) fn player<G: Players>(command: &str) -> AnyPlayer<G> {
    let mut words = command.split_ascii_whitespace().map(str::to_owned);
    let name = words.next().unwrap();
    G::player(&name, &words.collect::<Vec<_>>()).unwrap()
}

/// All decisions in a game between these players, by seat.
pub(crate) fn in_game<G: Players>(
    options: &str,
    deal: u64,
    players: Vec<(&str, AnyPlayer<G>)>,
) -> Vec<Decision<G>> {
    let options: G::Options = options.parse().unwrap();
    let seed = Seed([33; 32]);
    let terms = GameTerms::even(seed.name(deal), players.len(), TIME, seed.bots(deal));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let watched = |(name, player): (&str, AnyPlayer<G>)| -> AnyPlayer<G> {
        Box::new(Watched { name: name.to_owned(), player, seen: Arc::clone(&seen) })
    };
    let players = players.into_iter().map(watched).collect();
    play(&options, &terms, &mut seed.nature(deal), players).unwrap();
    std::mem::take(&mut *seen.lock().unwrap())
}

/// All decisions in games between players by their command lines, who change seats.
pub(crate) fn in_games<G: Players>(
    options: &str,
    commands: &[&str],
    games: u64,
) -> Vec<Decision<G>> {
    let game = |game: u64| {
        let mut seated: Vec<_> =
            commands.iter().map(|command| (*command, player(command))).collect();
        seated.rotate_left(game as usize % commands.len());
        in_game(options, game / commands.len() as u64, seated)
    };
    (0..games).flat_map(game).collect()
}

/// Checks what holds for every review.
#[track_caller]
pub(crate) fn makes_sense<M: PartialEq + std::fmt::Debug>(
    reviewed: &ReviewedDecision<M>,
    played: &M,
) {
    let ReviewedDecision { moves, played: place, certainty, given_away } = reviewed;
    assert_eq!(&moves[*place].mv, played);
    assert_eq!(moves.iter().filter(|rated| rated.mv == *played).count(), 1);
    let own = &moves[*place];
    assert_eq!((own.lead, own.lead_error), (0.0, 0.0));
    for rated in moves {
        assert!((0.0..=1.0).contains(&rated.share), "{rated:?}");
        assert!((rated.share - own.share - rated.lead).abs() < 1e-9, "{rated:?} and {own:?}");
        assert!(rated.error >= 0.0 && rated.lead_error >= 0.0);
        assert!(rated.points.is_none_or(|points| points.abs() < 100.0), "{rated:?}");
        if *certainty == Certainty::Exact {
            assert_eq!((rated.error, rated.lead_error), (0.0, 0.0));
        }
    }
    if *certainty == Certainty::Exact {
        assert_eq!(*given_away, reviewed.loss());
    }
}

/// The mean that each player gave away in a decision.
pub(crate) fn given_away<G: Players>(
    reviewer: &mut impl Reviewer<G>,
    decisions: &[Decision<G>],
    worlds: u32,
) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for Decision { name, request, played } in decisions {
        let reviewed = reviewer.review(request, played, worlds).unwrap();
        makes_sense(&reviewed, played);
        let sum = sums.entry(name.clone()).or_default();
        *sum = (sum.0 + reviewed.given_away, sum.1 + 1.0);
    }
    sums.into_iter().map(|(name, (sum, count))| (name, sum / count)).collect()
}

/// The differences from the best moves with the losses that they come to, the costliest first.
pub(crate) fn costliest<G: Players>(
    reviewer: &mut impl Reviewer<G>,
    decisions: &[Decision<G>],
    worlds: u32,
) -> Vec<(String, f64)> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for Decision { request, played, .. } in decisions {
        let reviewed = reviewer.review(request, played, worlds).unwrap();
        let best = reviewed.best();
        if best == reviewed.played {
            continue;
        }
        let words = reviewer.difference(request, played, &reviewed.moves[best].mv);
        assert!(words.len() <= 80 && !words.is_empty(), "{words}");
        *sums.entry(words).or_default() += reviewed.given_away;
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by(|one, other| other.1.total_cmp(&one.1));
    sums
}
