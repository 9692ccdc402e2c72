//! How many marks of a review are confirmed by more worlds, and how many true mistakes a review finds.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use crate::ladder::players::Contender;
use bots::programs::{PlayersVisitor, visit};
use bots::review::{AnyGameReviewer, NotReviewed, ReviewTextError, reviewer, usual_worlds};
use bots::{AnyPlayer, NoMove, Player, Players};
use review::{Decision, MistakeGrade};
use rules::{BotSeed, Digest, GameKind, GameTerms, Request, Seed};
use simulation::{TIME, play};
use workers::{NoThread, in_order};

/// A mark is confirmed by this many times the worlds of a review.
const MORE: u32 = 20;

/// The games and decisions to look at.
#[derive(Debug, Clone)]
pub struct Setting {
    /// The game.
    pub kind: GameKind,
    /// Its options.
    pub options: String,
    /// The players: all pairs of them play, in both orders of seats.
    pub players: Vec<Contender>,
    /// The games of each pair and order.
    pub games: u64,
    /// Of so many decisions one is looked at.
    pub one_of: u64,
    /// The seed of the deals, and of the choice of decisions.
    pub seed: Seed,
}

/// A decision by the review and by one with many more worlds.
#[derive(Debug, Clone)]
pub struct Looked {
    mark: Option<MistakeGrade>,
    /// The lead of the best move by many more worlds.
    lead: f64,
}

/// Plays the games and reviews their decisions.
///
/// # Errors
///
/// Fails if a player or the options are not as they must be; one line.
pub fn looked(setting: &Setting, workers: NonZeroUsize) -> Result<Vec<Looked>, String> {
    let all = visit(&setting.kind, Games { setting, workers });
    all.map_err(|none| none.to_string())?
}

/// A row for each mark.
pub fn table(setting: &Setting, looked: &[Looked]) -> String {
    let mut text = String::new();
    let (game, count) = (setting.kind.name(), looked.len());
    let _ = writeln!(text, "{game} {}, {count} decisions\n", setting.options);
    let _ = writeln!(text, "| mark | marked | not confirmed | below half | true ones | found |");
    let _ = writeln!(text, "| --- | ---: | ---: | ---: | ---: | ---: |");
    for mark in MistakeGrade::ALL {
        let least = mark.threshold();
        let marked: Vec<&Looked> =
            looked.iter().filter(|it| it.mark.is_some_and(|found| found >= mark)).collect();
        let below = |bound: f64| marked.iter().filter(|it| it.lead < bound).count();
        let real: Vec<&Looked> = looked.iter().filter(|it| it.lead >= least).collect();
        let found = real.iter().filter(|it| it.mark.is_some_and(|found| found >= mark)).count();
        let part =
            |count: usize, of: usize| format!("{:.1}%", 100.0 * count as f64 / of.max(1) as f64);
        let _ = writeln!(
            text,
            "| {:.0}% | {} | {} | {} | {} | {} |",
            100.0 * least,
            marked.len(),
            part(below(least), marked.len()),
            part(below(least / 2.0), marked.len()),
            real.len(),
            part(found, real.len()),
        );
    }
    text
}

/// Plays all pairs.
struct Games<'a> {
    setting: &'a Setting,
    workers: NonZeroUsize,
}

impl PlayersVisitor for Games<'_> {
    type Output = Result<Vec<Looked>, String>;

    fn visit<G: Players>(self) -> Self::Output {
        let Games { setting, workers } = self;
        let options: G::Options = setting.options.parse().map_err(|error| format!("{error}"))?;
        let places = 0..setting.players.len();
        let pairs: Vec<[&Contender; 2]> = places
            .clone()
            .flat_map(|one| places.clone().map(move |other| (one, other)))
            .filter(|(one, other)| one != other)
            .map(|(one, other)| [one, other].map(|place| &setting.players[place]))
            .collect();
        let count = pairs.len() as u64 * setting.games;
        let mut all = Vec::new();
        let start = || {
            let mut reviews = reviewer(&setting.kind);
            let (pairs, options) = (&pairs, options.clone());
            move |number: u64| {
                let (pair, deal) =
                    (pairs[(number / setting.games) as usize], number % setting.games);
                let reviews = reviews.as_deref_mut().ok_or_else(|| Failed("no reviewer".into()))?;
                let decisions = decisions::<G>(setting, &options, pair, deal)?;
                let chosen = decisions
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| is_chosen(setting, number, *place));
                let mut looked = Vec::new();
                for (_, (request, played)) in chosen {
                    looked.extend(look::<G>(setting, &mut *reviews, request, played)?);
                }
                Ok(looked)
            }
        };
        in_order(count, workers, start, |looked: Vec<Looked>| {
            all.extend(looked);
            ControlFlow::Continue(())
        })
        .map_err(|Failed(problem)| problem)?;
        Ok(all)
    }
}

/// One line.
struct Failed(String);

impl From<NoThread> for Failed {
    fn from(none: NoThread) -> Failed {
        Failed(none.to_string())
    }
}

/// Requests with the moves that were played.
type Played<G> = Vec<(Request<G>, <G as rules::Game>::Move)>;

/// All decisions in a game between two players.
fn decisions<G: Players>(
    setting: &Setting,
    options: &G::Options,
    pair: [&Contender; 2],
    deal: u64,
) -> Result<Played<G>, Failed> {
    let seed = &setting.seed;
    let terms = GameTerms::even(seed.name(deal), pair.len(), TIME, seed.bots(deal));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let watched = |contender: &Contender| -> Result<AnyPlayer<G>, Failed> {
        let player = contender.player().map_err(|problem| Failed(problem.to_string()))?;
        Ok(Box::new(Watched { player, seen: Arc::clone(&seen) }))
    };
    let players = pair.into_iter().map(watched).collect::<Result<Vec<_>, _>>()?;
    play(options, &terms, &mut seed.nature(deal), players)
        .map_err(|stuck| Failed(stuck.to_string()))?;
    Ok(std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// A player whose decisions are kept.
struct Watched<G: Players> {
    player: AnyPlayer<G>,
    seen: Arc<Mutex<Played<G>>>,
}

impl<G: Players> Player<G> for Watched<G> {
    fn choose(&mut self, request: &Request<G>) -> Result<G::Move, NoMove> {
        let played = self.player.choose(request)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.push((request.clone(), played.clone()));
        Ok(played)
    }
}

/// Chooses one of some decisions by a digest, so that the choice depends on nothing else.
fn is_chosen(setting: &Setting, game: u64, place: usize) -> bool {
    let digest = Digest::hash(format!("{} {game} {place}", setting.seed).as_bytes()).bytes();
    let number = u64::from_le_bytes(std::array::from_fn(|byte| digest[byte]));
    number.is_multiple_of(setting.one_of)
}

/// Reviews a decision twice, in other worlds each; none if all moves come to the same.
fn look<G: Players>(
    setting: &Setting,
    reviews: &mut (dyn AnyGameReviewer + Send),
    request: &Request<G>,
    played: &G::Move,
) -> Result<Option<Looked>, Failed> {
    let worlds = usual_worlds(&setting.kind);
    let mut review = |request: &Request<G>, worlds: u32| match reviews.review(
        &request.to_string(),
        &played.to_string(),
        worlds,
    ) {
        Ok(opinion) => Ok(Decision::new(0, 0, opinion)),
        Err(ReviewTextError::NotReviewed(NotReviewed::NoWorld)) => Ok(None),
        Err(failure) => Err(Failed(failure.to_string())),
    };
    let Some(first) = review(request, worlds)? else { return Ok(None) };
    let BotSeed(seed) = request.heading.seed;
    let mut again = request.clone();
    again.heading.seed = BotSeed(seed.map(|byte| !byte));
    let second = review(&again, worlds.saturating_mul(MORE))?;
    Ok(second.map(|second| Looked { mark: first.mark(), lead: second.loss() }))
}
