//! The search of the players: they try every move in worlds, and give up those that fall behind.

use rules::coup::{Coup, Hand, Move, draw_hands};
use rules::{Nature, PerSeat, Request};
use search::Clock;

use crate::coup::court::evidence::Evidence;
use crate::coup::court::manner::{BLUFFER, HONEST, Manner, OWN};
use crate::coup::court::playout::Playout;
use crate::coup::court::rest::{After, play};
use crate::coup::court::table::{Card, Held, SEATS, Table};
use crate::coup::luck::Luck;
use crate::player::Cut;

/// Number of joint hands that are drawn for each world that is played, to choose by evidence.
const DRAWN_FOR_EACH: usize = 4;

/// Parts in which the worlds are played; after each, the worse half of the moves is given up, but for
/// those that are near.
const PARTS: u32 = 4;

/// Standard errors behind the best at which a move is given up.
const FAR_BEHIND: f64 = 2.0;

/// What a player takes the others for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::coup) enum Opponents {
    /// Honest, all of them.
    Honest,
    /// Honest, or seats that bluff and doubt, by what they have done.
    Any,
}

/// Tries every move in worlds.
#[derive(Debug, Clone)]
pub(super) struct Search {
    opponents: Opponents,
    worlds: u32,
    cut: Option<Cut>,
}

/// A world: the state with all hands, and the manner of each seat.
struct World {
    game: Coup,
    manners: [Manner; SEATS],
}

/// A move that is tried.
struct Candidate {
    mv: Move,
    /// Its part of a win in each world.
    shares: Vec<f32>,
}

impl Candidate {
    fn sum(&self) -> f64 {
        self.shares.iter().copied().map(f64::from).sum()
    }
}

impl Search {
    /// A player that tries its moves in this number of worlds.
    pub(super) fn new(opponents: Opponents, worlds: u32) -> Search {
        Search { opponents, worlds, cut: None }
    }

    /// Where the clock cut the last decision short.
    pub(super) fn cut(&self) -> Option<Cut> {
        self.cut
    }

    /// The move to play when asked this, until the clock says stop; `None` if the request contradicts
    /// itself or time was up before a world was played.
    pub(super) fn decide(
        &mut self,
        request: &Request<Coup>,
        clock: &mut dyn Clock,
    ) -> Option<Move> {
        self.cut = None;
        if let [only] = request.legal[..] {
            return Some(only);
        }
        let evidence = Evidence::read(request);
        let mut nature = request.heading.seed.nature();
        let mut luck = Luck::of("coup at a court ", request.heading.seed);
        let worlds = Worlds::draw(request, &evidence, self.opponents, self.worlds, &mut nature)?;
        let own = request.heading.seat.index();
        let new = |mv: &Move| Candidate { mv: *mv, shares: Vec::new() };
        let mut candidates: Vec<Candidate> = request.legal.iter().map(new).collect();
        let mut done = 0;
        'parts: for part in 1..=PARTS {
            while done < self.worlds / PARTS * part {
                if clock.is_up() {
                    self.cut = Some(Cut { what: "worlds", number: u64::from(done) });
                    break 'parts;
                }
                let luck = luck.split();
                let world = worlds.at(done, self.worlds, &mut luck.clone())?;
                for candidate in &mut candidates {
                    let share = world.share(candidate.mv, own, &evidence, &nature, luck.clone())?;
                    candidate.shares.push(share);
                }
                // Other cards in the next world.
                nature.below(std::num::NonZeroU32::MIN.saturating_add(1));
                done += 1;
            }
            give_up(&mut candidates);
        }
        let best = candidates.into_iter().reduce(|best, other| {
            // Of equals, the first.
            if other.sum() > best.sum() { other } else { best }
        })?;
        (done > 0).then_some(best.mv)
    }
}

/// Gives up the moves that are far behind the best.
fn give_up(candidates: &mut Vec<Candidate>) {
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
        mut luck: Luck,
    ) -> Option<f32> {
        let World { game, manners } = self;
        let mut game = game.clone();
        let after = play(&mut game, mv, manners, &mut nature.clone(), &mut luck)?;
        let winner = match after {
            After::Over(winner) => winner,
            After::Turn(actor) => {
                let mut table = Table::of(&game);
                (table.guards, table.thwarted) = (evidence.guards, evidence.thwarted);
                if !table.is_in(own) {
                    return Some(0.0);
                }
                Playout { table, manners, luck }.run(actor, own)
            }
        };
        Some(if winner == Some(own) { 1.0 } else { 0.0 })
    }
}

/// Joint hands that are possible, each with its weight and those before.
struct Worlds<'a> {
    request: &'a Request<Coup>,
    hands: Vec<(PerSeat<Hand>, f64)>,
    until: f64,
    opponents: Opponents,
    evidence: &'a Evidence,
}

impl<'a> Worlds<'a> {
    fn draw(
        request: &'a Request<Coup>,
        evidence: &'a Evidence,
        opponents: Opponents,
        worlds: u32,
        nature: &mut Nature,
    ) -> Option<Worlds<'a>> {
        let (seat, seats) = (request.heading.seat, request.options.seats());
        if seats > SEATS {
            return None;
        }
        let count = (worlds as usize).saturating_mul(DRAWN_FOR_EACH);
        let drawn = draw_hands(seat, seats, &request.events(), count, nature);
        let mut until = 0.0;
        let hands = drawn.into_iter().map(|hands| {
            let hands =
                hands.map(|owner, hand| if owner == seat { request.view.hand } else { *hand });
            until += weight(evidence, &hands, seat.index(), opponents);
            (hands, until)
        });
        let hands: Vec<_> = hands.collect();
        (until > 0.0).then_some(Worlds { request, hands, until, opponents, evidence })
    }

    /// One of so many worlds, from one of as many equal parts of what is likely.
    fn at(&self, number: u32, of: u32, luck: &mut Luck) -> Option<World> {
        let point = (f64::from(number) + luck.unit()) / f64::from(of) * self.until;
        let place = self.hands.partition_point(|(_, until)| *until <= point);
        let (hands, _) = self.hands.get(place).or(self.hands.last())?;
        let game = Coup::imagine(&self.request.options, &self.request.view, hands)?;
        let own = self.request.heading.seat;
        let mut manners = [HONEST; SEATS];
        for (seat, hand) in hands.iter() {
            let manner = manners.get_mut(seat.index())?;
            if seat == own {
                *manner = OWN;
                continue;
            }
            let [honest, bluffs] = both(self.evidence, seat.index(), *hand, self.opponents);
            if luck.unit() * (honest + bluffs) < bluffs {
                *manner = BLUFFER;
            }
        }
        Some(World { game, manners })
    }
}

/// How likely a seat is to be honest and to hold this hand, and how likely to bluff and to hold it.
fn both(evidence: &Evidence, seat: usize, hand: Hand, opponents: Opponents) -> [f64; 2] {
    let hand = Held::new(hand.into_iter().map(|card| card as Card));
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
    let each = others.map(|(seat, hand)| both(evidence, seat.index(), *hand, opponents));
    each.map(|manners| manners.iter().sum::<f64>()).product()
}
