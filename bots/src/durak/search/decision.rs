//! Decisions of players that look ahead: by a search of the end, or by trials.

use rules::Request;
use rules::durak::{Durak, Move};
use search::{Clock, WorldSampler};

use crate::durak::greedy::Lowest;
use crate::durak::search::cards::{Cards, is_trump, rank};
use crate::durak::search::endgame::Endgame;
use crate::durak::search::knowledge::{RootKnowledge, seen_twice};
use crate::durak::search::policy::RuleOfThumbPolicy;
use crate::durak::search::position::Play;
use crate::durak::search::tree::{MemorySize, SearchStopCause};
use crate::options::TimeLimit;
use crate::player::{CutOff, NoMove, Player};

/// The options of a player that samples worlds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Most sampled worlds in which it tries moves, at least 1.
    pub worlds: u32,
    /// Number of positions that it visits at most where hands are known, at least 1.
    pub positions: u64,
    pub time: TimeLimit,
}

/// Plays the move that is worth most in many sampled worlds, or by perfect play where all hands are known; where the
/// request contradicts itself, the lowest card.
#[derive(Debug)]
pub struct SamplingPlayer {
    settings: Settings,
    try_out: fn(SampledDecision<'_>, u32, &mut dyn Clock) -> TrialResult,
    /// Searches where all hands are known.
    endgame: Endgame,
    /// Searches the ends of trials.
    ends: Endgame,
    cut: Option<CutOff>,
}

/// A decision that takes trials, since hands are hidden.
#[derive(Debug)]
pub struct SampledDecision<'a> {
    pub request: &'a Request<Durak>,
    pub start: &'a RootKnowledge,
    /// The moves to try, the cheapest first, each once.
    pub plays: &'a [Play],
    /// Policy beyond the horizon of a search of an end.
    pub beyond: &'a RuleOfThumbPolicy,
    /// Search of the ends of trials.
    pub ends: &'a mut Endgame,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialResult {
    /// The place of the best move; none if time was up before anything was known.
    pub best: Option<usize>,
    /// Where they stopped, if time was up.
    pub cut: Option<CutOff>,
}

impl SamplingPlayer {
    /// A player that tries moves in this way, in a number of worlds.
    pub fn new(
        settings: Settings,
        try_out: fn(SampledDecision<'_>, u32, &mut dyn Clock) -> TrialResult,
    ) -> SamplingPlayer {
        let (endgame, ends) = (Endgame::default(), Endgame::new(MemorySize::Small));
        SamplingPlayer { settings, try_out, endgame, ends, cut: None }
    }

    /// The move to play: the only one, or the best by perfect play where all hands are known, or what
    /// trials find. Nothing where the request cannot be searched, or time was up before anything was
    /// known.
    pub fn decide(&mut self, request: &Request<Durak>, clock: &mut dyn Clock) -> Option<Move> {
        let Settings { worlds, positions, .. } = self.settings;
        self.cut = None;
        if let [only] = request.legal[..] {
            return Some(only);
        }
        let start = RootKnowledge::read(request)?;
        let moves = cheapest_first(request, &start);
        let plays: Vec<Play> = moves.iter().map(|(_, play)| *play).collect();
        let beyond = RuleOfThumbPolicy::usual(request.options.deck());
        let best = if start.is_certain() {
            let (position, world) = start.draw(&mut request.heading.seed.nature())?;
            self.endgame.begin(seen_twice(request, start.layout, position.hands));
            let decision = self.endgame.best(&position, &world, &plays, &beyond, positions, clock);
            self.cut = (decision.stop == Some(SearchStopCause::Time))
                .then_some(CutOff { what: "positions", number: decision.positions });
            decision.best?
        } else {
            self.ends.begin(Vec::new());
            let (start, plays, beyond, ends) = (&start, &plays[..], &beyond, &mut self.ends);
            let decision = SampledDecision { request, start, plays, beyond, ends };
            let tried = (self.try_out)(decision, worlds, clock);
            self.cut = tried.cut;
            plays[tried.best?]
        };
        moves.iter().find(|(_, play)| *play == best).map(|(mv, _)| *mv)
    }
}

impl Player<Durak> for SamplingPlayer {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        let mut clock = self.settings.time.clock(request.heading.share());
        self.decide(request, &mut clock).map_or_else(|| Lowest.choose(request), Ok)
    }

    fn cut(&self) -> Option<CutOff> {
        self.cut
    }
}

/// The legal moves, the cheapest first, since of moves that are as good it is played; each once, so
/// that a request that lists a move again and again takes no room for it.
fn cheapest_first(request: &Request<Durak>, start: &RootKnowledge) -> Vec<(Move, Play)> {
    let mut seen = [Cards::EMPTY; 2];
    let mut passes = false;
    let mut is_new = |play: Play| match play {
        Play::Card(place) => insert(&mut seen[0], Cards::one(place)),
        Play::Transfer(place) => insert(&mut seen[1], Cards::one(place)),
        Play::Pass => !std::mem::replace(&mut passes, true),
    };
    let moves = request.legal.iter().map(|mv| (*mv, start.play(*mv)));
    let mut moves: Vec<(Move, Play)> = moves.filter(|(_, play)| is_new(*play)).collect();
    moves.sort_by_key(|(_, play)| match play {
        Play::Card(place) | Play::Transfer(place) => (is_trump(*place), rank(*place)),
        Play::Pass => (true, u8::MAX),
    });
    moves
}

/// Adds a card, and says whether it is new.
fn insert(seen: &mut Cards, card: Cards) -> bool {
    let is_new = seen.common(card).is_empty();
    *seen = seen.and(card);
    is_new
}
