//! The strongest player.

use rules::Request;
use rules::durak::{Durak, Move};

use crate::durak::expert::habits::Habits;
use crate::durak::expert::race::Race;
use crate::durak::expert::settings::Settings;
use crate::durak::expert::trial::Trial;
use crate::durak::lowest::Lowest;
use crate::durak::search::cards::{is_trump, rank};
use crate::durak::search::endgame::Endgame;
use crate::durak::search::knowledge::seen_twice;
use crate::durak::search::memory::MemorySize;
use crate::durak::search::policy::Policy;
use crate::durak::search::position::Play;
use crate::durak::search::start::Start;
use crate::durak::search::tree::Stop;
use crate::player::{NoMove, Player};
use crate::search::{Clock, Determinise};

/// A card is played or passes the attack on, or no card is.
const MOST_PLAYS: usize = 2 * 52 + 1;

/// Plays the move that is worth most in many sampled worlds, or by perfect play where all hands are
/// known; where the request contradicts itself, the lowest card.
#[derive(Debug)]
pub struct Expert {
    settings: Settings,
    /// Searches where all hands are known.
    endgame: Endgame,
    /// Searches the ends of trials.
    ends: Endgame,
    was_cut: bool,
}

impl Expert {
    /// A player with these options.
    pub fn new(settings: Settings) -> Expert {
        Expert {
            settings,
            endgame: Endgame::default(),
            ends: Endgame::new(MemorySize::Small),
            was_cut: false,
        }
    }

    /// The move to play when asked this, searching until the clock says stop; nothing where the
    /// request cannot be searched, or time was up before anything was known.
    pub fn decide(&mut self, request: &Request<Durak>, clock: &mut dyn Clock) -> Option<Move> {
        let start = Start::read(request)?;
        let mut moves: Vec<(Move, Play)> =
            request.legal.iter().map(|mv| (*mv, start.play(*mv))).collect();
        // Of moves that are as good the cheapest is played.
        moves.sort_by_key(|(_, play)| match play {
            Play::Card(place) => (is_trump(*place), rank(*place), 0, *place),
            Play::Transfer(place) => (is_trump(*place), rank(*place), 1, *place),
            Play::Pass => (true, u8::MAX, 2, 0),
        });
        // A request that says a move again and again must not take memory for it.
        moves.dedup_by_key(|(_, play)| *play);
        let plays: Vec<Play> = moves.iter().map(|(_, play)| *play).collect();
        if plays.len() > MOST_PLAYS {
            return None;
        }
        let best = match start.is_certain() {
            true => self.search(request, &start, &plays, clock)?,
            false => self.try_out(request, &start, &plays, clock)?,
        };
        moves.iter().find(|(_, play)| *play == best).map(|(mv, _)| *mv)
    }

    /// The best move by perfect play.
    fn search(
        &mut self,
        request: &Request<Durak>,
        start: &Start,
        plays: &[Play],
        clock: &mut dyn Clock,
    ) -> Option<Play> {
        let policy = Policy::usual(request.options.deck());
        let (position, world) = start.draw(&mut request.heading.seed.nature())?;
        self.endgame.begin(seen_twice(request, start.layout, position.hands));
        let positions = self.settings.positions;
        let decision = self.endgame.best(&position, &world, plays, &policy, positions, clock);
        self.was_cut = decision.stop == Some(Stop::Time);
        decision.best
    }

    /// The best move in worlds that fit.
    fn try_out(
        &mut self,
        request: &Request<Durak>,
        start: &Start,
        plays: &[Play],
        clock: &mut dyn Clock,
    ) -> Option<Play> {
        let policy = Policy::usual(request.options.deck());
        self.ends.begin(Vec::new());
        let habits = Habits::learned(&request.options);
        let mut trial = Trial { start, habits: &habits, policy: &policy, endgame: &mut self.ends };
        let mut nature = request.heading.seed.nature();
        let race = Race::new(plays.len());
        let finish = race.run(plays, &mut trial, self.settings.worlds, &mut nature, clock);
        self.was_cut = finish.was_cut;
        finish.best.map(|place| plays[place])
    }
}

impl Default for Expert {
    fn default() -> Self {
        Expert::new(Settings::default())
    }
}

impl Player<Durak> for Expert {
    fn choose(&mut self, request: &Request<Durak>) -> Result<Move, NoMove> {
        self.was_cut = false;
        let mut clock = self.settings.time.clock(request.heading.time);
        let decided = match request.legal[..] {
            [only] => Some(only),
            _ => self.decide(request, &mut clock),
        };
        decided.map_or_else(|| Lowest.choose(request), Ok)
    }

    fn was_cut(&self) -> bool {
        self.was_cut
    }
}
