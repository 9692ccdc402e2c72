//! A review of moves by what the expert knows and tries.
//!
//! Every move is tried in the same worlds, drawn and played out by habits as
//! [`expert`](crate::durak::expert) does. Where two seats know each other's hands, each move is
//! searched to the end of the game; if that takes too many positions, it is played out, not always by
//! habit.

use std::cell::RefCell;
use std::num::NonZeroU32;

use rules::durak::{Durak, Move, Phase};
use rules::{Card, Nature, Request, Suit};
use search::WorldSampler;

use crate::durak::expert::habits::HabitPolicy;
use crate::durak::search::endgame::{Endgame, PlayoutRunner};
use crate::durak::search::knowledge::{RootKnowledge, seen_twice};
use crate::durak::search::policy::{PlayoutPolicy, RuleOfThumbPolicy};
use crate::durak::search::position::{GameSetup, Play, Position};
use crate::durak::search::tree::{MemorySize, WON};
use crate::review::{Comparison, NotReviewed, ReviewedDecision, Reviewer, WorldResult, chance};

/// Reviews moves as the expert values them, and ends between two seats by a search.
///
/// The share is the part of the game that is not lost: with more than two seats all but the durak win.
#[derive(Debug)]
pub struct DurakReviewer {
    /// Searches where all hands are known.
    endgame: Endgame,
    /// Searches the ends of trials.
    ends: Endgame,
}

/// Number of positions that the search for exact values may visit in one decision.
const POSITIONS: u64 = 200_000;

impl DurakReviewer {
    /// The values by perfect play, where all hands are known and the search comes to an end.
    fn exact(
        &mut self,
        request: &Request<Durak>,
        start: &RootKnowledge,
        plays: &[Play],
    ) -> Option<Vec<WorldResult>> {
        if !start.is_certain() {
            return None;
        }
        // Nothing is drawn: there is one such world.
        let (position, world) = start.draw(&mut chance(request.heading.seed))?;
        let policy = RuleOfThumbPolicy::usual(request.options.deck());
        self.endgame.begin(seen_twice(request, start.layout, position.hands));
        let values = self.endgame.values(&position, &world, plays, &policy, POSITIONS)?;
        Some(values.iter().map(|found| value(found.points())).collect())
    }

    /// The results of all moves in worlds that fit.
    fn sampled(
        &mut self,
        request: &Request<Durak>,
        start: &RootKnowledge,
        moves: (&[Play], usize),
        worlds: u32,
    ) -> Comparison {
        let habits = HabitPolicy::learned(&request.options);
        let beyond = RuleOfThumbPolicy::usual(request.options.deck());
        self.ends.begin(Vec::new());
        let (beyond, endgame) = (&beyond, &mut self.ends);
        let mut nature = chance(request.heading.seed);
        if start.is_certain() {
            let policy = &NoisyPolicy::new(&habits, nature.clone());
            try_out(PlayoutRunner { start, policy, beyond, endgame }, moves, worlds, &mut nature)
        } else {
            let policy = &habits;
            try_out(PlayoutRunner { start, policy, beyond, endgame }, moves, worlds, &mut nature)
        }
    }
}

/// Every move in the same worlds.
fn try_out(
    mut trial: PlayoutRunner<'_, impl PlayoutPolicy>,
    (plays, played): (&[Play], usize),
    worlds: u32,
    nature: &mut Nature,
) -> Comparison {
    let mut comparison = Comparison::new(plays.len(), played);
    let mut values = Vec::with_capacity(plays.len());
    let start = trial.start;
    for (position, world) in start.worlds(worlds, nature) {
        values.clear();
        for play in plays {
            let mut next = position;
            next.play(*play, &world);
            values.push(value(trial.play_out(next, &world)));
        }
        comparison.add(&values);
    }
    comparison
}

impl Default for DurakReviewer {
    fn default() -> Self {
        DurakReviewer { endgame: Endgame::default(), ends: Endgame::new(MemorySize::Small) }
    }
}

impl Reviewer<Durak> for DurakReviewer {
    /// A trial is won or lost, so that it takes more of them than where shares are estimated.
    const USUAL_WORLDS: u32 = 2000;

    fn review(
        &mut self,
        request: &Request<Durak>,
        played: &Move,
        worlds: u32,
    ) -> Result<ReviewedDecision<Move>, NotReviewed> {
        let start = RootKnowledge::read(request).ok_or(NotReviewed::NoWorld)?;
        let moves = legal(request, &start).ok_or(NotReviewed::NoWorld)?;
        let place = moves.iter().position(|mv| mv == played).ok_or(NotReviewed::NotLegal)?;
        let plays: Vec<Play> = moves.iter().map(|mv| start.play(*mv)).collect();
        match self.exact(request, &start, &plays) {
            Some(values) => Ok(Comparison::exact(place, moves.into_iter().zip(values).collect())),
            None => self.sampled(request, &start, (&plays, place), worlds).reviewed(moves),
        }
    }

    fn phase(&self, request: &Request<Durak>) -> &'static str {
        match request.view.bout().map(|bout| bout.phase()) {
            _ if request.view.talon == 0 => "endgame",
            Some(Phase::Lead) | None => "attack",
            Some(Phase::Defend) => "defence",
            Some(Phase::Throw(_) | Phase::Load(_)) => "throwing in",
        }
    }

    fn difference(&self, request: &Request<Durak>, played: &Move, better: &Move) -> String {
        words(request, *played, *better)
    }
}

/// The listed moves that the rules allow, each once; `None` without a world.
fn legal(request: &Request<Durak>, start: &RootKnowledge) -> Option<Vec<Move>> {
    // Whether an attack may be passed on hangs on the sizes of hands, which only a world shows.
    let (position, world) = start.draw(&mut chance(request.heading.seed))?;
    let choices = position.choices(&world);
    let mut moves: Vec<Move> = Vec::new();
    for mv in &request.legal {
        if choices.contain(start.play(*mv)) && is_in_phase(*mv, request) && !moves.contains(mv) {
            moves.push(*mv);
        }
    }
    Some(moves)
}

/// Returns true if a move has the name of this phase: the search does not tell leads from beats.
fn is_in_phase(mv: Move, request: &Request<Durak>) -> bool {
    let Some(bout) = request.view.bout() else { return false };
    match mv {
        Move::Lead(_) => bout.phase() == Phase::Lead,
        Move::Beat(_) | Move::Transfer(_) | Move::Take => bout.phase() == Phase::Defend,
        Move::Throw(_) | Move::Done => matches!(bout.phase(), Phase::Throw(_) | Phase::Load(_)),
    }
}

/// A part of a win from parts of a point.
fn value(points: u64) -> WorldResult {
    WorldResult { share: points as f64 / WON as f64, points: None }
}

fn words(request: &Request<Durak>, played: Move, better: Move) -> String {
    let trumps = request.view.trump.map(Card::suit);
    let kind = |card: Card| kind(card, trumps);
    let is_taken = request.view.bout().is_some_and(|bout| bout.is_taken());
    let instead = |does: &str, other: &str| format!("{does} instead of {other}");
    match (played, better) {
        (Move::Take, Move::Beat(card)) => {
            instead("takes the table", &format!("beating with {}", kind(card)))
        }
        (Move::Take, _) => instead("takes the table", "passing the attack on"),
        (Move::Beat(card), Move::Take) => {
            instead(&format!("beats with {}", kind(card)), "taking the table")
        }
        (Move::Transfer(card), Move::Take) => {
            instead(&format!("passes the attack on with {}", kind(card)), "taking the table")
        }
        (Move::Beat(card), Move::Transfer(_)) => {
            instead(&format!("beats with {}", kind(card)), "passing the attack on")
        }
        (Move::Transfer(_), Move::Beat(card)) => {
            instead("passes the attack on", &format!("beating with {}", kind(card)))
        }
        (Move::Throw(card), Move::Done) if is_taken => {
            instead(&format!("gives {} to the taker", kind(card)), "being done")
        }
        (Move::Throw(card), _) if better.card().is_none() => {
            instead(&format!("throws in {}", kind(card)), "being done")
        }
        (Move::Done, Move::Throw(card)) if is_taken => {
            instead("is done", &format!("giving {} to the taker", kind(card)))
        }
        (Move::Done, Move::Throw(card)) => {
            instead("is done", &format!("throwing in {}", kind(card)))
        }
        (Move::Lead(card), other) => two("attacks with", card, other, trumps),
        (Move::Beat(card), other) => two("beats with", card, other, trumps),
        (Move::Transfer(card), other) => two("passes the attack on with", card, other, trumps),
        (Move::Throw(card), other) if is_taken => two("gives the taker", card, other, trumps),
        (Move::Throw(card), other) => two("throws in", card, other, trumps),
        (Move::Done, _) => "is done too early".to_owned(),
    }
}

/// The same is done with one card and another.
fn two(does: &str, card: Card, better: Move, trumps: Option<Suit>) -> String {
    let own = kind(card, trumps);
    let Some(other) = better.card() else { return format!("{does} {own}") };
    if kind(other, trumps) != own {
        return format!("{does} {own} instead of {}", kind(other, trumps));
    }
    let than = match card.rank().cmp(&other.rank()) {
        std::cmp::Ordering::Less => "a higher one",
        std::cmp::Ordering::Equal => "one of another suit",
        std::cmp::Ordering::Greater => "a lower one",
    };
    format!("{does} {own} instead of {than}")
}

fn kind(card: Card, trumps: Option<Suit>) -> &'static str {
    if Some(card.suit()) == trumps { "a trump" } else { "a plain card" }
}

/// One move in so many is any that is legal.
const STRAYS: NonZeroU32 = NonZeroU32::MIN.saturating_add(7);

/// Plays by habits, but now and then any legal move.
///
/// Where all cards are known there is one world, and all its trials by fixed habits are the same: a
/// single line would pass for a value without an error.
struct NoisyPolicy<'a> {
    habits: &'a HabitPolicy,
    nature: RefCell<Nature>,
}

impl NoisyPolicy<'_> {
    fn new(habits: &HabitPolicy, nature: Nature) -> NoisyPolicy<'_> {
        NoisyPolicy { habits, nature: RefCell::new(nature) }
    }
}

impl PlayoutPolicy for NoisyPolicy<'_> {
    fn choose(&self, position: &Position, world: &GameSetup) -> Play {
        let mut nature = self.nature.borrow_mut();
        if nature.below(STRAYS) == 0 {
            let plays: Vec<Play> = position.choices(world).plays().collect();
            if let Some(play) = nature.choose(&plays) {
                return *play;
            }
        }
        self.habits.choose(position, world)
    }
}
