//! The player that looks ahead.

use std::time::{Duration, Instant};

use rules::Request;
use rules::durak::{Durak, Move};

use crate::durak::lowest::Lowest;
use crate::durak::minimax::endgame::Endgame;
use crate::durak::minimax::knowledge::{Hints, seen_twice};
use crate::durak::minimax::policy::{Policy, Thumb};
use crate::durak::minimax::position::Play;
use crate::durak::minimax::settings::Settings;
use crate::durak::minimax::start::Start;
use crate::durak::minimax::trials::{Effort, try_all};
use crate::player::{NoMove, Player};
use crate::search::Clock;
use crate::search::clock::{Deadline, Unlimited};
use crate::tablic::minimax::TimeLimit;

/// Plays the move that is worth most in many worlds, or by perfect play where only one fits; where
/// the request contradicts itself, the lowest card.
#[derive(Debug, Default)]
pub struct Minimax {
    settings: Settings,
    endgame: Endgame,
    was_cut: bool,
}

impl Minimax {
    /// A player with these options.
    pub fn new(settings: Settings) -> Minimax {
        Minimax { settings, ..Minimax::default() }
    }

    /// The move to play when asked this, searching until the clock says stop; nothing where the
    /// request cannot be searched.
    pub fn decide(&mut self, request: &Request<Durak>, clock: &mut dyn Clock) -> Option<Move> {
        let start = Start::of(request, &Hints::default())?;
        let policy = Policy::new(Thumb::default(), request.options.deck());
        let mut moves: Vec<(Move, Play)> =
            request.legal.iter().map(|mv| (*mv, start.play(*mv))).collect();
        // Of equals the first is played: what the policy would.
        let plays: Vec<Play> = moves.iter().map(|(_, play)| *play).collect();
        let mut nature = request.heading.seed.nature();
        let (position, world) = start.draw(&mut nature);
        let is_pair = position.players.count_ones() == 2;
        if is_pair && world.size <= 1 {
            self.endgame.begin(seen_twice(request, start.layout, position.hands));
            let found = self.endgame.best(&position, &world, &plays, &policy, clock);
            self.was_cut = found.was_cut;
            let best = found.best?;
            return moves.drain(..).find(|(_, play)| *play == best.play).map(|(mv, _)| mv);
        }
        self.endgame.begin(Vec::new());
        let effort = Effort { worlds: self.settings.worlds, cards: 12, nodes: 300 };
        let tally =
            try_all(&start, &plays, &effort, &policy, &mut self.endgame, &mut nature, clock);
        self.was_cut = tally.was_cut;
        let (index, _) =
            tally.points.iter().enumerate().rev().max_by_key(|(_, points)| **points)?;
        moves.get(index).map(|(mv, _)| *mv)
    }
}

impl Player<Durak> for Minimax {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        self.was_cut = false;
        let limit = match self.settings.time {
            TimeLimit::HalfOfRequest => Some(Duration::from_millis(request.heading.time / 2)),
            TimeLimit::Fixed(limit) => Some(limit),
            TimeLimit::None => None,
        };
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let decided = match (&request.legal[..], deadline) {
            ([only], _) => Some(*only),
            (_, Some(deadline)) => self.decide(request, &mut Deadline(deadline)),
            (_, None) => self.decide(request, &mut Unlimited),
        };
        decided.map_or_else(|| Lowest.choose(request), Ok)
    }

    fn was_cut(&self) -> bool {
        self.was_cut
    }
}
