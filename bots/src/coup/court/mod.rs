//! Players of Coup at a court: with several seats, by the printed rules.
//!
//! # Theory of operation
//!
//! No table of chances is small enough for six seats. So every legal move is tried in many worlds, and the
//! game is played out to its end in each of them, all moves with the same luck. A world is a hand and a
//! manner of playing for each other seat.
//!
//! - The rules say how likely the hands are by the cards that were dealt, shown and lost
//!   ([`rules::coup::draw_hands`]). [`Evidence`](evidence::Evidence) weighs them by what the seats have
//!   claimed, and by what they would have claimed with other cards.
//! - The [`BluffRates`](playout::BluffRates) of a seat are those of `greedy`, which claims what it holds and believes
//!   what can be, or those of a player who bluffs and doubts. A seat that was caught, or that doubted what could be, is of
//!   the second kind in all worlds.
//! - What is left of the turn is played by the rules ([`rest`]). The turns after it are played as a whole
//!   by a [`CourtState`](table::CourtState) of a few bytes ([`playout`]), which takes some microseconds a game.
//!
//! `minimax` takes everyone for the first kind, until a claim cannot be true. It is no minimax, but
//! has the name of the players that look ahead in all games.

mod evidence;
mod playout;
mod table;

use rules::coup::{Coup, CoupRules, Hand, Move, draw_hands};
use rules::{Nature, PerSeat, Request};
use search::{Candidate, Clock, WeightedSampler};

use crate::coup::court::evidence::Evidence;
use crate::coup::court::playout::{
    BLUFFER, BluffRates, CourtPlayout, HONEST, OWN, TurnResult, play,
};
use crate::coup::court::table::{Card, CourtState, SEATS, SeatCards};
use crate::coup::greedy::Greedy;
use crate::coup::table::FastRng;
use crate::options::TimeLimit;
use crate::player::{AnyPlayer, CutOff, NoMove, Player};

/// One player for the contest, and another for courts; where a request contradicts itself, what greedy
/// plays.
pub(in crate::coup) struct CoupPlayer {
    contest: AnyPlayer<Coup>,
    opponents: Opponents,
    /// Number of worlds in which it tries its moves at a court.
    worlds: u32,
    time: TimeLimit,
    cut: Option<CutOff>,
}

impl CoupPlayer {
    /// The player that takes this into account at a court, in this number of worlds, 100,000 at most.
    pub(in crate::coup) fn new(
        contest: AnyPlayer<Coup>,
        opponents: Opponents,
        worlds: u32,
        time: TimeLimit,
    ) -> CoupPlayer {
        CoupPlayer { contest, opponents, worlds: worlds.min(MOST_WORLDS), time, cut: None }
    }
}

impl Player<Coup> for CoupPlayer {
    fn choose(&mut self, request: &Request<Coup>) -> Result<Move, NoMove> {
        if request.options.rules == CoupRules::Contest {
            let chosen = self.contest.choose(request);
            self.cut = self.contest.cut();
            return chosen;
        }
        let mut clock = self.time.clock(request.heading.share());
        let found = self.decide(request, &mut clock);
        found.map_or_else(|| Greedy.choose(request), Ok)
    }

    fn cut(&self) -> Option<CutOff> {
        self.cut
    }
}

/// Number of joint hands that are drawn for each world that is played, to choose by evidence.
const DRAWN_FOR_EACH: usize = 4;

/// The most worlds that are played: more hardly change a move.
const MOST_WORLDS: u32 = 100_000;

/// Number of worlds for which hands are drawn together, so that drawing takes little of the time.
const WORLDS_AT_ONCE: u32 = 500;

/// Parts in which the worlds are played; after each, the moves that are far behind the best are given up.
const PARTS: u32 = 4;

/// Standard errors behind the best at which a move is given up.
const FAR_BEHIND: f64 = 2.0;

/// Number of worlds without which no move is given up, and which time must allow for.
const LEAST_WORLDS: u32 = 16;

/// What a player takes the others for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opponents {
    /// Honest, all of them.
    Honest,
    /// Honest, or seats that bluff and doubt, by what they have done.
    Any,
}

/// A world: the state with all hands, and the manner of each seat.
struct World {
    game: Coup,
    manners: [BluffRates; SEATS],
}

impl CoupPlayer {
    /// The move to play at a court when asked this, until the clock says stop; `None` if the request contradicts
    /// itself or time was up before some worlds were played.
    fn decide(&mut self, request: &Request<Coup>, clock: &mut dyn Clock) -> Option<Move> {
        self.cut = None;
        if let [only] = request.legal[..] {
            return Some(only);
        }
        let evidence = Evidence::read(request);
        let mut nature = request.heading.seed.nature();
        let mut luck = FastRng::new("coup at a court ", request.heading.seed);
        let own = request.heading.seat.index();
        let mut candidates: Vec<_> = request.legal.iter().copied().map(Candidate::new).collect();
        let (mut done, mut drawn) = (0, None);
        'parts: for part in 1..=PARTS {
            while done < end_of_part(self.worlds, part) {
                if clock.is_up() {
                    self.cut = Some(CutOff { what: "worlds", number: u64::from(done) });
                    break 'parts;
                }
                let place = done % WORLDS_AT_ONCE;
                if place == 0 {
                    let count = (self.worlds - done).min(WORLDS_AT_ONCE);
                    let opponents = self.opponents;
                    drawn = Some(JointHandSampler::draw(
                        request,
                        &evidence,
                        opponents,
                        count,
                        &mut nature,
                    )?);
                }
                let luck = luck.split();
                let world = drawn.as_ref()?.world_at(place, &mut luck.clone())?;
                for candidate in &mut candidates {
                    let share = world.share(candidate.mv, own, &evidence, &nature, luck.clone())?;
                    candidate.shares.push(share);
                }
                // Other cards in the next world.
                nature.below(std::num::NonZeroU32::MIN.saturating_add(1));
                done += 1;
            }
            if done >= LEAST_WORLDS {
                give_up(&mut candidates);
            }
        }
        let best = candidates.into_iter().reduce(|best, other| {
            // Of equals, the first.
            if other.sum() > best.sum() { other } else { best }
        })?;
        (done >= LEAST_WORLDS.min(self.worlds)).then_some(best.mv)
    }
}

/// Number of worlds that are played at the end of a part, of which the first is 1.
fn end_of_part(worlds: u32, part: u32) -> u32 {
    (u64::from(worlds) * u64::from(part) / u64::from(PARTS)) as u32
}

/// Gives up the moves that are far behind the best.
fn give_up(candidates: &mut Vec<Candidate<Move>>) {
    let sums = candidates.iter().max_by(|one, other| one.sum().total_cmp(&other.sum()));
    let Some(best) = sums.map(|best| best.shares.clone()) else { return };
    let count = best.len().max(1) as f64;
    candidates.retain(|candidate| {
        let behind =
            || best.iter().zip(&candidate.shares).map(|(one, other)| f64::from(one - other));
        let mean = behind().sum::<f64>() / count;
        let variance = behind().map(|one| (one - mean) * (one - mean)).sum::<f64>() / count;
        mean <= FAR_BEHIND * (variance / count).sqrt()
    });
}

impl World {
    /// The part of a win that a move comes to.
    fn share(
        &self,
        mv: Move,
        own: usize,
        evidence: &Evidence,
        nature: &Nature,
        mut luck: FastRng,
    ) -> Option<f32> {
        let World { game, manners } = self;
        let mut game = game.clone();
        let after = play(&mut game, mv, manners, &mut nature.clone(), &mut luck)?;
        let winner = match after {
            TurnResult::Over(winner) => winner,
            TurnResult::Turn(actor) => {
                let mut table = CourtState::from_game(&game);
                (table.guards, table.thwarted) = (evidence.guards, evidence.thwarted);
                if !table.is_in(own) {
                    return Some(0.0);
                }
                CourtPlayout { table, manners, luck }.run(actor, own)
            }
        };
        Some(if winner == Some(own) { 1.0 } else { 0.0 })
    }
}

/// Joint hands that are possible, for a number of worlds.
struct JointHandSampler<'a> {
    worlds: u32,
    request: &'a Request<Coup>,
    hands: WeightedSampler<PerSeat<Hand>>,
    opponents: Opponents,
    evidence: &'a Evidence,
}

impl<'a> JointHandSampler<'a> {
    fn draw(
        request: &'a Request<Coup>,
        evidence: &'a Evidence,
        opponents: Opponents,
        worlds: u32,
        nature: &mut Nature,
    ) -> Option<JointHandSampler<'a>> {
        let (seat, seats) = (request.heading.seat, request.options.seats());
        if seats > SEATS {
            return None;
        }
        let count = (worlds as usize).saturating_mul(DRAWN_FOR_EACH);
        let drawn = draw_hands(seat, seats, &request.events(), count, nature);
        let hands = WeightedSampler::new(drawn.into_iter().map(|hands| {
            let hands =
                hands.map(|owner, hand| if owner == seat { request.view.hand } else { *hand });
            let weight = weight(evidence, &hands, seat.index(), opponents);
            (hands, weight)
        }));
        let is_possible = hands.sum() > 0.0;
        is_possible.then_some(JointHandSampler { worlds, request, hands, opponents, evidence })
    }

    /// One of the worlds, from one of as many equal parts of what is likely.
    fn world_at(&self, number: u32, luck: &mut FastRng) -> Option<World> {
        let point = (f64::from(number) + luck.unit()) / f64::from(self.worlds) * self.hands.sum();
        let hands = self.hands.at(point)?;
        let game = Coup::imagine(&self.request.options, &self.request.view, hands)?;
        let own = self.request.heading.seat;
        let mut manners = [HONEST; SEATS];
        for (seat, hand) in hands.iter() {
            let manner = manners.get_mut(seat.index())?;
            if seat == own {
                *manner = OWN;
                continue;
            }
            let [honest, bluffs] = likelihoods(self.evidence, seat.index(), *hand, self.opponents);
            if luck.unit() * (honest + bluffs) < bluffs {
                *manner = BLUFFER;
            }
        }
        Some(World { game, manners })
    }
}

/// How likely a seat is to be honest and to hold this hand, and how likely to bluff and to hold it.
fn likelihoods(evidence: &Evidence, seat: usize, hand: Hand, opponents: Opponents) -> [f64; 2] {
    let hand = SeatCards::new(hand.into_iter().map(|card| card as Card));
    let bluffs = match opponents {
        Opponents::Honest => 0.0,
        Opponents::Any => evidence.bluffs(seat),
    };
    [
        (1.0 - bluffs) * evidence.likelihood(seat, hand, false),
        bluffs * evidence.likelihood(seat, hand, true),
    ]
}

/// How likely these hands are by what their seats have done.
fn weight(evidence: &Evidence, hands: &PerSeat<Hand>, own: usize, opponents: Opponents) -> f64 {
    let others = hands.iter().filter(|(seat, _)| seat.index() != own);
    let each = others.map(|(seat, hand)| likelihoods(evidence, seat.index(), *hand, opponents));
    each.map(|manners| manners.iter().sum::<f64>()).product()
}

#[cfg(test)]
mod tests {
    use search::alpha_beta::{LookLimit, Unlimited};

    use super::*;

    /// After `income`, `income` and the `tax` of seat 2.
    const REQUEST: &str = "\
arbiter 1
game coup seats=3 rules=court
match 00000000000000000000000000000000
seat 0
move 3
time 5000
seed 0101010101010101
view 11
hand captain contessa
hands 2 2 2
coins 3 3 2
lost 0
lost 1
lost 2
turn 2
action tax
claim 2 duke
owed answer 0, answer 1, effect 2, end 2
decisions 3
history 6
deal 0 captain contessa
deal 1 ?? ??
deal 2 ?? ??
0 income
1 income
2 tax
legal 2
pass
challenge
end
";

    fn decide(worlds: u32, looks: u32) -> (Option<Move>, Option<u64>) {
        let request: Request<Coup> = REQUEST.parse().expect("a request");
        let mut player = CoupPlayer::new(Box::new(Greedy), Opponents::Any, worlds, TimeLimit::None);
        let chosen =
            player.decide(&request, &mut LookLimit { left: looks.into(), clock: &mut Unlimited });
        (chosen, player.cut().map(|cut| cut.number))
    }

    /// A mended fault: hands for all worlds were drawn before the first look at the clock, 4,000,000,000 of
    /// them if that was said.
    #[test]
    fn any_number_of_worlds_is_played_as_far_as_time_goes() {
        for worlds in [1000, u32::MAX] {
            let (chosen, done) = decide(worlds, 701);
            assert!(chosen.is_some());
            assert_eq!(done, Some(700), "of {worlds}");
        }
        assert_eq!(decide(u32::MAX, 10), (None, Some(9)), "too few worlds to choose by");
        assert_eq!(decide(u32::MAX, 1), (None, Some(0)));
    }

    /// A mended fault: fewer than four worlds were none, and seven were four.
    #[test]
    fn few_worlds_are_played_too() {
        for worlds in [1, 2, 3, 7] {
            let (chosen, done) = decide(worlds, worlds + 1);
            assert!(chosen.is_some() && done.is_none(), "{worlds}: {done:?}");
            let (_, done) = decide(worlds, worlds);
            assert_eq!(done, Some(u64::from(worlds) - 1), "the last of {worlds}");
        }
        let ends = |worlds| [1, 2, 3, 4].map(|part| end_of_part(worlds, part));
        assert_eq!(ends(200), [50, 100, 150, 200]);
        assert_eq!(ends(7), [1, 3, 5, 7]);
    }
}
