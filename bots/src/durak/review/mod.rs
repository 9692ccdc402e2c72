//! A review of moves by what the expert knows and tries.
//!
//! Every move is tried in the same worlds, drawn and played out by habits as
//! [`expert`](crate::durak::expert) does. Where two seats know each other's hands, each move is
//! searched to the end of the game; if that takes too many positions, it is played out, not always by
//! habit.

mod difference;
mod wavering;

use rules::durak::{Durak, Move, Phase};
use rules::{Nature, Request};
use search::Determinise;

use crate::durak::expert::habits::Habits;
use crate::durak::review::wavering::Wavering;
use crate::durak::search::endgame::Endgame;
use crate::durak::search::knowledge::seen_twice;
use crate::durak::search::memory::MemorySize;
use crate::durak::search::outcome::WON;
use crate::durak::search::playout::Trial;
use crate::durak::search::policy::PlayOutPolicy;
use crate::durak::search::policy::Policy;
use crate::durak::search::position::Play;
use crate::durak::search::start::Start;
use crate::review::{Comparison, NotReviewed, Reviewed, Reviewer, Value, chance};

/// Reviews moves as the expert values them, and ends between two seats by a search.
///
/// The share is the part of the game that is not lost: with more than two seats all but the durak win.
#[derive(Debug)]
pub struct Review {
    /// Searches where all hands are known.
    endgame: Endgame,
    /// Searches the ends of trials.
    ends: Endgame,
}

/// Number of positions that the search for exact values may visit in one decision.
const POSITIONS: u64 = 200_000;

impl Review {
    /// A reviewer that has reviewed nothing yet.
    pub fn new() -> Review {
        Review { endgame: Endgame::default(), ends: Endgame::new(MemorySize::Small) }
    }

    /// The values by perfect play, where all hands are known and the search comes to an end.
    fn exact(
        &mut self,
        request: &Request<Durak>,
        start: &Start,
        plays: &[Play],
    ) -> Option<Vec<Value>> {
        if !start.is_certain() {
            return None;
        }
        // Nothing is drawn: there is one such world.
        let (position, world) = start.draw(&mut chance(request.heading.seed))?;
        let policy = Policy::usual(request.options.deck());
        self.endgame.begin(seen_twice(request, start.layout, position.hands));
        let values = self.endgame.values(&position, &world, plays, &policy, POSITIONS)?;
        Some(values.iter().map(|found| value(found.points())).collect())
    }

    /// The results of all moves in worlds that fit.
    fn sampled(
        &mut self,
        request: &Request<Durak>,
        start: &Start,
        moves: (&[Play], usize),
        worlds: u32,
    ) -> Comparison {
        let habits = Habits::learned(&request.options);
        let beyond = Policy::usual(request.options.deck());
        self.ends.begin(Vec::new());
        let (beyond, endgame) = (&beyond, &mut self.ends);
        let mut nature = chance(request.heading.seed);
        if start.is_certain() {
            let policy = &Wavering::new(&habits, nature.clone());
            try_out(Trial { start, policy, beyond, endgame }, moves, worlds, &mut nature)
        } else {
            let policy = &habits;
            try_out(Trial { start, policy, beyond, endgame }, moves, worlds, &mut nature)
        }
    }
}

/// Every move in the same worlds.
fn try_out(
    mut trial: Trial<'_, impl PlayOutPolicy>,
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

impl Default for Review {
    fn default() -> Self {
        Review::new()
    }
}

impl Reviewer<Durak> for Review {
    /// A trial is won or lost, so that it takes more of them than where shares are estimated.
    const USUAL_WORLDS: u32 = 2000;

    fn review(
        &mut self,
        request: &Request<Durak>,
        played: &Move,
        worlds: u32,
    ) -> Result<Reviewed<Move>, NotReviewed> {
        let start = Start::read(request).ok_or(NotReviewed::NoWorld)?;
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
        difference::words(request, *played, *better)
    }
}

/// The listed moves that the rules allow, each once; `None` without a world.
fn legal(request: &Request<Durak>, start: &Start) -> Option<Vec<Move>> {
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
fn value(points: u64) -> Value {
    Value { share: points as f64 / WON as f64, points: None }
}
