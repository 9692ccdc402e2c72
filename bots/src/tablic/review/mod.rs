//! A review of moves by what the expert knows and tries.
//!
//! Every different move is tried in the same worlds, drawn and played out as
//! [`expert`](crate::tablic::expert) does. The last deal between two seats, in which nothing is
//! hidden, is searched to its end ([`ending`]).

mod ending;

use rules::tablic::capture::{TEN_OF_DIAMONDS, TWO_OF_CLUBS, may_capture, points};
use rules::tablic::{Event, Move, Options, Tablic};
use rules::{CardSet, Digest, Entry, ListCompleteness, Request};
use search::alpha_beta::{LookLimit, Unlimited};
use search::{AlphaBeta, WorldSampler};

use crate::review::{
    Comparison, DealLuck, NotReviewed, ReviewedDecision, Reviewer, WorldResult, chance, luck_chance,
};
use crate::tablic::classes::captures::{TableCaptures, list};
use crate::tablic::classes::{ClassCounts, ClassMove};
use crate::tablic::expert::DealKnowledge;
use crate::tablic::expert::position::{DealEndValue, DealPosition, GreedyCache, deals};
use crate::tablic::minimax::{DealPlace, SeatKnowledge};
use crate::tablic::review::ending::LastDeal;

/// Reviews moves as the expert values them, and the last deal between two seats by a search.
///
/// Points are those by which the seat leads the best of the others at the end of the deal.
#[derive(Debug)]
pub struct TablicReviewer {
    greed: GreedyCache,
    captures: TableCaptures,
    search: AlphaBeta<LastDeal>,
}

/// Number of cards that are dealt to hands in a game.
const DEALT: usize = 48;

/// The most different moves that are tried, beside the one played and those that lay a card down.
const MOST_MOVES: usize = 40;

impl TablicReviewer {
    /// The different moves in the order of the rules, and the place of the one that was played.
    fn different(&mut self, request: &Request<Tablic>, played: Move) -> (Vec<DistinctMove>, usize) {
        let (hand, table) = (request.view.hand, request.view.table);
        let counts = ClassCounts::count(table);
        let own = DistinctMove { mv: played, class: ClassMove::new(played, counts) };
        let mut classes = Vec::new();
        self.captures.set_table(counts);
        list(ClassCounts::count(hand).classes(), &mut self.captures, &mut classes);
        let mut captures = 0;
        // The moves come as greedy prefers them, so that those which are left out are bad ones.
        classes.retain(|class| {
            captures += usize::from(!class.captured.is_empty());
            captures <= MOST_MOVES || class.captured.is_empty()
        });
        let others = classes.into_iter().filter(|class| *class != own.class);
        let with_cards =
            |class: ClassMove| Some(DistinctMove { mv: class.with_cards(hand, table)?, class });
        let mut moves: Vec<DistinctMove> = others.filter_map(with_cards).chain([own]).collect();
        moves.sort_by_key(|different| different.mv);
        let place = moves.iter().position(|different| different.class == own.class);
        (moves, place.unwrap_or(0))
    }

    /// The values by the rules alone, where nothing is hidden or left to chance.
    fn exact(&mut self, start: &SeatKnowledge, moves: &[DistinctMove]) -> Option<Vec<WorldResult>> {
        if start.deal == DealPlace::Last && start.held == 1 {
            // The seat plays the last card of the game.
            let (position, prospects) =
                (DealPosition::from_start(start), DealEndValue::new(0, start.points.len()));
            let after = |different: &DistinctMove| {
                let mut position = position;
                position.play(different.class);
                value(position, prospects, start.seat)
            };
            return Some(moves.iter().map(after).collect());
        }
        let mut ending = LastDeal::from_start(start)?;
        let plies = ending.plies();
        let classes: Vec<ClassMove> = moves.iter().map(|different| different.class).collect();
        // Looks are counted, so that time is up at the same point on every machine.
        let mut clock = LookLimit { left: MOST_LOOKS, clock: &mut Unlimited };
        let leads = self.search.values(&mut ending, &classes, plies, &mut clock)?;
        let of_lead = |lead: &i32| WorldResult {
            share: f64::from(lead.signum() + 1) / 2.0,
            points: Some(f64::from(*lead)),
        };
        Some(leads.iter().map(of_lead).collect())
    }

    /// The results of all moves in worlds that fit.
    fn sampled(
        &mut self,
        request: &Request<Tablic>,
        seat: usize,
        (moves, played): (Vec<DistinctMove>, usize),
        worlds: u32,
    ) -> Result<ReviewedDecision<Move>, NotReviewed> {
        let known = DealKnowledge::read(request, &mut self.greed).ok_or(NotReviewed::NoWorld)?;
        let prospects = DealEndValue::new(request.view.talon, request.options.seats.get());
        let mut comparison = Comparison::new(moves.len(), played);
        let mut values = Vec::with_capacity(moves.len());
        for world in known.worlds(worlds, &mut chance(request.heading.seed)) {
            values.clear();
            for different in &moves {
                let mut position = world;
                position.play(different.class);
                position.play_out(&mut self.greed);
                values.push(value(position, prospects, seat));
            }
            comparison.add(&values);
        }
        comparison.reviewed(moves.into_iter().map(|different| different.mv).collect())
    }
}

impl Default for TablicReviewer {
    fn default() -> Self {
        let (greed, captures) = (GreedyCache::default(), TableCaptures::default());
        TablicReviewer { greed, captures, search: AlphaBeta::new() }
    }
}

impl Reviewer<Tablic> for TablicReviewer {
    fn review(
        &mut self,
        request: &Request<Tablic>,
        played: &Move,
        worlds: u32,
    ) -> Result<ReviewedDecision<Move>, NotReviewed> {
        if !is_legal(request, *played) {
            return Err(NotReviewed::NotLegal);
        }
        let start = SeatKnowledge::read(request).ok_or(NotReviewed::NoWorld)?;
        let (moves, place) = self.different(request, *played);
        match self.exact(&start, &moves) {
            Some(values) => {
                let moves = moves.iter().map(|different| different.mv);
                Ok(Comparison::exact(place, moves.zip(values).collect()))
            }
            None => self.sampled(request, start.seat, (moves, place), worlds),
        }
    }

    fn luck(
        &mut self,
        options: &Options,
        events: &[Entry<Event>],
        game: Digest,
    ) -> Result<Vec<DealLuck>, NotReviewed> {
        ending::of_deals(&mut self.greed, options, events, &mut luck_chance(game))
    }

    fn phase(&self, request: &Request<Tablic>) -> &'static str {
        let seats = request.options.seats.get();
        let left = deals(request.view.talon as usize, seats);
        match deals(DEALT, seats).saturating_sub(left) {
            0 | 1 => "deal 1",
            2 => "deal 2",
            3 => "deal 3",
            _ => "deal 4",
        }
    }

    fn difference(&self, request: &Request<Tablic>, played: &Move, better: &Move) -> String {
        words(request.view.table, *played, *better)
    }
}

/// A move that stands for all that are worth the same.
#[derive(Debug, Clone, Copy)]
struct DistinctMove {
    mv: Move,
    class: ClassMove,
}

/// Value of a deal whose cards are all played.
fn value(position: DealPosition, prospects: DealEndValue, seat: usize) -> WorldResult {
    WorldResult {
        share: f64::from(prospects.share(position, seat)),
        points: Some(f64::from(prospects.lead(position, seat))),
    }
}

/// Returns true if the request allows a move: it lists it, or leaves some out and the rules allow it.
fn is_legal(request: &Request<Tablic>, mv: Move) -> bool {
    let (hand, table) = (request.view.hand, request.view.table);
    let is_listed = || request.listing == ListCompleteness::Cut || request.legal.contains(&mv);
    let captures = || mv.captured.is_empty() || may_capture(mv.card.rank(), mv.captured);
    hand.contains(mv.card) && table.contains_all(mv.captured) && is_listed() && captures()
}

/// Number of looks at the clock after which a search is given up, each some hundred microseconds.
///
/// Only tables of some forty cards take as many; there the moves are played out like others, though
/// all worlds are the same one.
const MOST_LOOKS: u64 = 1000;

/// How the move played on this table differs from a better one: what is worth most comes first.
fn words(table: CardSet, played: Move, better: Move) -> String {
    let takes = takes(played);
    if is_tabla(table, better) && !is_tabla(table, played) {
        return "gives up a tabla".to_owned();
    }
    for (card, name) in [(TEN_OF_DIAMONDS, "ten of diamonds"), (TWO_OF_CLUBS, "two of clubs")] {
        if better.captured.contains(card) && !played.captured.contains(card) {
            return format!("takes {takes} and leaves the {name}");
        }
        if played.card == card && played.captured.is_empty() && better.card != card {
            return format!("lays down the {name}");
        }
        if better.card == card && !better.captured.is_empty() && played.card != card {
            return format!("takes {takes} and keeps the {name} that could take");
        }
    }
    let gained = |mv: Move| points(mv.gained());
    let count = |mv: Move| mv.captured.len();
    match (count(played), count(better)) {
        (0, 0) => laid_down(played, better),
        (_, 0) => format!("takes {takes} where it should lay {} down", kind(better)),
        (0, _) => format!("takes nothing where it could take {}", self::takes(better)),
        _ if gained(played) < gained(better) => {
            format!("takes {takes} and fewer points than it could")
        }
        (few, more) if few < more => format!("takes {takes} where it could take more"),
        _ if played.captured == better.captured => "takes the same with another card".to_owned(),
        _ if gained(played) > gained(better) => {
            format!("takes {takes} for points where fewer points are better")
        }
        _ => format!("takes {takes} where it should take others"),
    }
}

fn laid_down(played: Move, better: Move) -> String {
    let (one, other) = (kind(played), kind(better));
    if one != other {
        return format!("lays {one} down where {other} is better");
    }
    let height = |mv: Move| (mv.card.rank() as u8 + 1) % 13;
    let other = if height(played) > height(better) { "a lower" } else { "a higher" };
    format!("lays {one} down where {other} one is better")
}

fn is_tabla(table: CardSet, mv: Move) -> bool {
    !mv.captured.is_empty() && mv.captured == table
}

/// The number of cards that a move takes from the table.
fn takes(mv: Move) -> &'static str {
    match mv.captured.len() {
        0 => "nothing",
        1 => "one card",
        2 => "two cards",
        3 => "three cards",
        _ => "four cards or more",
    }
}

fn kind(mv: Move) -> &'static str {
    match mv.card {
        TEN_OF_DIAMONDS => "the ten of diamonds",
        TWO_OF_CLUBS => "the two of clubs",
        card if points(CardSet::single(card)) > 0 => "a point card",
        _ => "a plain card",
    }
}
